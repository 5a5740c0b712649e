// Keys: the action of each, and when they are ignored.

const NAMES = { ArrowLeft: "←", ArrowRight: "→" };
const FIELDS = "input:not([type=range]), textarea, select, [contenteditable]";
const PRESSED = "button, a[href], summary, label";
const SILENT = new Set(["Dead", "Process", "Unidentified", "Tab", "Shift", "Escape", "CapsLock",
  "Control", "Alt", "Meta", "AltGraph", "ContextMenu"]);

const nameOf = (key) => NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);

// Return the key of an event; "" if the event must be ignored.
function keyOf(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return "";
  if (event.getModifierState("AltGraph") || SILENT.has(event.key)) return "";
  // A letter with Shift is for the browser or a screen reader; a sign such as "?" may need Shift.
  if (event.shiftKey && (event.key.length > 1 || /[\p{L}\p{N}]/u.test(event.key))) return "";
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

// Return the digit on a key that types another character, as in the top row of a French keyboard.
const digitOf = (event) => (event.shiftKey ? "" : /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1] ?? "");

// Whether the rater is typing, or the focused element uses this key itself.
function isDeaf(event) {
  const target = event.target instanceof Element ? event.target : document.body;
  if (event.defaultPrevented || target.closest(FIELDS)) return true;
  if ((event.key === "Enter" || event.key === " ") && target.closest(PRESSED)) return true;
  return target.matches("input[type=range]") && /^(Arrow|Page|Home|End)/.test(event.key);
}

// Show the keys on the buttons, and call `act` with the action of each key that is pressed.
export function listenToKeys(bound, act) {
  for (const place of document.querySelectorAll("[data-key]")) {
    const key = bound[place.dataset.key] ?? "";
    place.textContent = nameOf(key);
    if (key) place.closest("[data-action]")?.setAttribute("aria-keyshortcuts", key);
  }
  const actionOf = (key) => (key ? Object.keys(bound).find((action) => bound[action] === key) : undefined);
  document.addEventListener("keydown", (event) => {
    if (isDeaf(event)) return;
    const action = actionOf(keyOf(event)) ?? (keyOf(event) && actionOf(digitOf(event)));
    if (!action) return;
    event.preventDefault();
    act(action);
  });
}
