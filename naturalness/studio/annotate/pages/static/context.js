// The context shown before a sentence, part by part. A long part is folded; its beginning and its end
// stay visible, because the end is next to the sentence.

const LONG = 280; // characters
const LINES = 5;
const SHOWN = 70; // characters shown of the beginning and of the end of a folded part
const FOLD = "naturalness:context";

let open = false;
try {
  open = localStorage.getItem(FOLD) === "open";
} catch {
  // Parts are folded at first.
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
  // A box that scrolls must be reachable by keyboard.
  if (box.scrollHeight > box.clientHeight) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}

// Show the button that unfolds only if there is a long part.
export function offerWhole() {
  const folded = document.querySelector(".asked details.context-part") !== null;
  for (const button of document.querySelectorAll('[data-action="context"]')) button.hidden = !folded;
}

// Fold or unfold all long parts on the page, and those of later sentences.
export function foldContext() {
  const folds = [...document.querySelectorAll("details.context-part")];
  if (!folds.length) return;
  open = !folds.every((fold) => fold.open);
  for (const fold of folds) fold.open = open;
  try {
    localStorage.setItem(FOLD, open ? "open" : "folded");
  } catch {
    // The choice lasts until the page is closed.
  }
}

export const sayContext = (parts) => parts.map(({ title, text }) => `${title}: ${isLong(text) ? ends(text) : text}`).join(" ");
