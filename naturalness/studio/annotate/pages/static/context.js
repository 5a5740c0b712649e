// What is read before a sentence, part by part. A long part is folded: its end is next to the
// sentence, so the fold shows how it begins and ends.

const LONG = 280; // characters
const LINES = 5;
const SHOWN = 70; // characters of either end on a fold
const FOLD = "naturalness:context";

let open = false;
try {
  open = localStorage.getItem(FOLD) === "open";
} catch {
  // Folded at first in this window.
}

const made = (tag, text, kind) => {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = kind;
  return element;
};

const isLong = (text) => text.length > LONG || text.split("\n").length > LINES;

function ends(text) {
  const signs = [...text.replace(/\s+/g, " ")];
  if (signs.length <= 2 * SHOWN) return signs.join("");
  return `${signs.slice(0, SHOWN).join("").trimEnd()} … ${signs.slice(-SHOWN).join("").trimStart()}`;
}

function part({ title, text }) {
  const words = made("p", text, "context-text");
  words.dir = "auto";
  if (!isLong(text)) {
    const short = made("div", "", "context-part");
    short.append(made("p", title, "which"), words);
    return short;
  }
  const fold = made("details", "", "context-part");
  fold.open = open;
  const summary = made("summary", "", "");
  const beginning = made("span", ends(text), "context-ends");
  beginning.dir = "auto";
  summary.append(made("span", title, "which"), " ", beginning);
  fold.append(summary, words);
  return fold;
}

export function showContext(box, parts) {
  box.replaceChildren(...parts.map(part));
  box.hidden = !parts.length;
  box.scrollTop = 0;
  // What scrolls must be within reach of a keyboard.
  if (box.scrollHeight > box.clientHeight) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}

// The button that unfolds is there only where something is folded.
export function offerWhole() {
  const folded = document.querySelector(".asked details.context-part") !== null;
  for (const button of document.querySelectorAll('[data-action="context"]')) button.hidden = !folded;
}

// All long parts on the page at once; the next sentences have them so, too.
export function foldContext() {
  const folds = [...document.querySelectorAll("details.context-part")];
  if (!folds.length) return;
  open = !folds.every((fold) => fold.open);
  for (const fold of folds) fold.open = open;
  try {
    localStorage.setItem(FOLD, open ? "open" : "folded");
  } catch {
    // It holds as long as the page.
  }
}

export const sayContext = (parts) => parts.map(({ title, text }) => `${title}: ${isLong(text) ? ends(text) : text}`).join(" ");
