// The instructions above the question: folded or not, as the rater left them; by default, as the server says.

const guide = document.getElementById("guide");
const NAME = guide && `naturalness:guide:${guide.dataset.guide}`;

try {
  const state = NAME && localStorage.getItem(NAME);
  if (state) guide.open = state === "open";
} catch {
  // Keep the state that the server sent.
}

// Store the state at once: the toggle event comes later, when the rater may have left the page.
function keep(open) {
  try {
    localStorage.setItem(NAME, open ? "open" : "folded");
  } catch {
    // The state lasts until the page is closed.
  }
}

guide?.querySelector("summary").addEventListener("click", () => keep(!guide.open));

export function foldGuide() {
  if (!guide) return;
  guide.open = !guide.open;
  keep(guide.open);
  if (guide.open) guide.scrollIntoView({ block: "nearest" });
}
