// The instructions: folded or not as the rater left them; otherwise unfolded until the first answer.

const guide = document.getElementById("guide");
const NAME = guide && `naturalness:guide:${guide.dataset.guide}`;

let left = null; // how the rater left them
try {
  left = NAME && localStorage.getItem(NAME);
  if (left) guide.open = left === "open";
} catch {
  // Keep the state that the server sent.
}

// Store the state at once: the toggle event comes later, when the rater may have left the page.
function keep(open) {
  left = open ? "open" : "folded";
  try {
    localStorage.setItem(NAME, left);
  } catch {
    // The state lasts until the page is closed.
  }
}

guide?.querySelector("summary").addEventListener("click", () => keep(!guide.open));

// Unfolded but off the screen, they are what is asked for.
export function foldGuide() {
  if (!guide) return;
  const { top, bottom } = guide.getBoundingClientRect();
  if (!guide.open || (bottom > 0 && top < innerHeight - 40)) {
    guide.open = !guide.open;
    keep(guide.open);
  }
  if (guide.open) guide.scrollIntoView({ block: "nearest" });
}

// After an answer they have been read.
export function endGuide() {
  if (guide && !left) guide.open = false;
}
