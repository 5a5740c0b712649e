// The instructions above what is asked: folded or not as the rater left them, else as the server says.

const guide = document.getElementById("guide");
const NAME = guide && `naturalness:guide:${guide.dataset.guide}`;

try {
  const state = NAME && localStorage.getItem(NAME);
  if (state) guide.open = state === "open";
} catch {
  // As the server says.
}

// At once: the event of a fold comes later, when the rater may have left the page.
function keep(open) {
  try {
    localStorage.setItem(NAME, open ? "open" : "folded");
  } catch {
    // It holds as long as the page.
  }
}

guide?.querySelector("summary").addEventListener("click", () => keep(!guide.open));

export function foldGuide() {
  if (!guide) return;
  guide.open = !guide.open;
  keep(guide.open);
  if (guide.open) guide.scrollIntoView({ block: "nearest" });
}
