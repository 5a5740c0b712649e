// Keys: the action of each, when they are ignored, and the dialog in which they are changed.

const NAMES = {
  " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Enter: "Enter",
  Backspace: "⌫", Delete: "Del", PageUp: "Page ↑", PageDown: "Page ↓", Home: "Home", End: "End",
};
const FIELDS = "input:not([type=range], [type=checkbox]), textarea, select, [contenteditable]";
const PRESSED = "button, a[href], summary, label, input[type=checkbox]";
const SILENT = new Set(["Dead", "Process", "Unidentified", "Tab", "Shift", "Escape", "CapsLock",
  "Control", "Alt", "Meta", "AltGraph", "ContextMenu"]);

export const nameOf = (key) => NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);

// Return the key of an event; "" if the event must be ignored.
export function keyOf(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return "";
  if (event.getModifierState("AltGraph") || SILENT.has(event.key)) return "";
  // A letter with Shift is for the browser or a screen reader; a sign such as "?" may need Shift.
  if (event.shiftKey && (event.key.length > 1 || /[\p{L}\p{N}]/u.test(event.key))) return "";
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

// Return the digit on a key that types another character, as in the top row of a French keyboard.
const digitOf = (event) => (event.shiftKey ? "" : /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1] ?? "");

// Whether the rater is typing, a dialog is open, or the focused element uses this key itself.
export function isDeaf(event) {
  const target = event.target instanceof Element ? event.target : document.body;
  if (event.defaultPrevented || document.querySelector("dialog[open]")) return true;
  if (target.closest(FIELDS)) return true;
  if ((event.key === "Enter" || event.key === " ") && target.closest(PRESSED)) return true;
  return target.matches("input[type=range]") && /^(Arrow|Page|Home|End)/.test(event.key);
}

export class Keyboard {
  // `bound` maps actions to keys; `act` is called with the action when its key is pressed.
  constructor(bound, act) {
    this.bound = { ...bound };
    this.act = act;
    this.show();
    document.addEventListener("keydown", (event) => {
      if (isDeaf(event)) return;
      const action = this.actionOf(keyOf(event)) ?? (keyOf(event) && this.actionOf(digitOf(event)));
      if (!action) return;
      event.preventDefault();
      this.act(action);
    });
  }

  actionOf(key) {
    return key ? Object.keys(this.bound).find((action) => this.bound[action] === key) : undefined;
  }

  // Show the keys on the buttons, and tell screen readers.
  show() {
    for (const place of document.querySelectorAll("[data-key]")) {
      const key = this.bound[place.dataset.key] ?? "";
      place.textContent = key ? nameOf(key) : "";
      const button = place.closest("[data-action]");
      if (button && key) button.setAttribute("aria-keyshortcuts", key === " " ? "Space" : key);
      else if (button) button.removeAttribute("aria-keyshortcuts");
    }
  }
}

// Set up the dialog, in which raters choose an action and press its new key.
export function keyDialog(keyboard, dialog, opener, server) {
  const told = dialog.querySelector("[role=status]");
  let asked = null;
  const ask = (button) => {
    asked?.classList.remove("asked");
    asked = button;
    button?.classList.add("asked");
  };
  const store = async (bound, message) => {
    try {
      keyboard.bound = (await server.post("/api/keys", { keys: bound })).keys;
      keyboard.show();
      told.textContent = message;
    } catch (error) {
      told.textContent = `The key was not changed: ${error.message}.`;
    }
  };
  const change = (key) => {
    const action = asked.dataset.change;
    const other = keyboard.actionOf(key);
    const bound = { ...keyboard.bound, [action]: key };
    let message = `${asked.dataset.title} is now ${nameOf(key)}.`;
    if (other && other !== action) {
      bound[other] = keyboard.bound[action];
      const title = dialog.querySelector(`[data-change="${CSS.escape(other)}"]`).dataset.title;
      message += ` ${title} now has ${nameOf(bound[other])} instead.`;
    }
    ask(null);
    store(bound, message);
  };

  opener.addEventListener("click", () => dialog.showModal());
  dialog.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.change) {
      ask(button);
      told.textContent = `Press the new key for ${button.dataset.title}; Esc cancels.`;
    } else if (button?.dataset.usual !== undefined) {
      ask(null);
      store(null, "All keys are reset.");
    }
  });
  dialog.addEventListener("keydown", (event) => {
    if (!asked || event.key === "Tab") return;
    event.preventDefault();
    if (event.key === "Escape") {
      ask(null);
      told.textContent = "The key was not changed.";
    } else if (keyOf(event)) {
      change(keyOf(event));
    } else if (!["Shift", "Control", "Alt", "Meta"].includes(event.key)) {
      told.textContent = "That key belongs to the browser; choose another.";
    }
  });
  // Esc also sends a cancel event; while the dialog waits for a key, Esc must not close it.
  dialog.addEventListener("cancel", (event) => asked && event.preventDefault());
  dialog.addEventListener("close", () => {
    ask(null);
    told.textContent = "";
  });
}
