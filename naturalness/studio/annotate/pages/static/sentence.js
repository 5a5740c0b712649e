// A sentence on the page, with marks on words that sound wrong.
//
// It is normally a paragraph. While words are marked by keyboard, it is a list of options that looks the
// same, so that a screen reader says which word is current and whether it is marked.

const LONG = 220; // characters beyond which the text does not fit in the box in large letters

export class Sentence {
  // `pieces` are [text, start, end] for words, and [text] for the text between words.
  constructor(box, pieces, { marks, changed }) {
    this.box = box;
    this.changed = changed;
    this.words = [];
    this.at = 0;
    this.marking = false;
    box.replaceChildren(...pieces.map((piece) => this.element(piece)));
    box.classList.toggle("long", box.textContent.length > LONG);
    for (const word of this.words) {
      if (marks.some(([start, end]) => start < word.end && end > word.start)) this.set(word, true); // they overlap
    }
    for (const word of this.words) {
      word.element.classList.add("markable");
      word.element.addEventListener("click", () => {
        if (!getSelection().isCollapsed) return; // somebody is copying
        this.go(this.words.indexOf(word));
        this.toggle();
      });
    }
  }

  element([text, start, end]) {
    if (start === undefined) return document.createTextNode(text);
    const element = document.createElement("span");
    element.className = "word";
    element.textContent = text;
    element.id = `${this.box.id}-word-${this.words.length}`;
    this.words.push({ element, text, start, end, marked: false });
    return element;
  }

  set(word, marked) {
    word.marked = marked;
    word.element.classList.toggle("marked", marked);
    if (this.marking) word.element.setAttribute("aria-selected", String(marked));
  }

  toggle() {
    const word = this.words[this.at];
    if (!word) return;
    this.set(word, !word.marked);
    this.changed();
  }

  go(place) {
    if (!this.words.length) return;
    this.words[this.at].element.classList.remove("here");
    this.at = Math.max(0, Math.min(place, this.words.length - 1));
    if (!this.marking) return;
    const { element } = this.words[this.at];
    element.classList.add("here");
    element.scrollIntoView({ block: "nearest" });
    this.box.setAttribute("aria-activedescendant", element.id);
  }

  begin() {
    if (this.marking || !this.words.length) return;
    this.marking = true;
    this.box.setAttribute("role", "listbox");
    this.box.setAttribute("aria-multiselectable", "true");
    this.box.setAttribute("aria-label", "Words of the sentence: arrows move, space marks");
    this.box.tabIndex = 0;
    for (const word of this.words) {
      word.element.setAttribute("role", "option");
      word.element.setAttribute("aria-selected", String(word.marked));
    }
    this.go(this.at);
    this.box.focus();
  }

  end() {
    if (!this.marking) return;
    this.marking = false;
    for (const name of ["role", "aria-multiselectable", "aria-label", "aria-activedescendant"]) {
      this.box.removeAttribute(name);
    }
    this.box.tabIndex = -1;
    for (const { element } of this.words) {
      element.classList.remove("here");
      element.removeAttribute("role");
      element.removeAttribute("aria-selected");
    }
  }

  // Handle a key press while words are being marked; return whether it was used.
  press(event) {
    if (!this.marking || event.ctrlKey || event.altKey || event.metaKey) return false;
    const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
    if (event.key in steps) this.go(this.at + steps[event.key]);
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(this.words.length - 1);
    else if (event.key === " " || event.key === "Enter") event.repeat || this.toggle();
    else return false;
    event.preventDefault();
    return true;
  }

  // Return marks as [start, end] in characters; adjacent words form one mark.
  marks() {
    const found = [];
    this.words.forEach((word, place) => {
      if (!word.marked) return;
      if (this.words[place - 1]?.marked) found.at(-1)[1] = word.end;
      else found.push([word.start, word.end]);
    });
    return found;
  }

  said() {
    return this.words.filter((word) => word.marked).map((word) => word.text).join(", ");
  }
}
