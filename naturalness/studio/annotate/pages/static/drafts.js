// Notes, causes and marks of a sentence that is not rated yet; they are kept if the page is reloaded.

export class Drafts {
  constructor(project) {
    this.start = `naturalness:${project}:draft:`;
  }

  // `earlier` is the undone answer that the page showed at first.
  keep({ number, answer: earlier }, draft) {
    try {
      sessionStorage.setItem(this.start + number, JSON.stringify({ earlier, draft }));
    } catch {
      // This browser stores nothing; the draft is only on the page.
    }
  }

  // Return the draft written since the question was shown, or shown again after an undo.
  of({ number, answer }) {
    try {
      const { earlier, draft } = JSON.parse(sessionStorage.getItem(this.start + number));
      return JSON.stringify(earlier) === JSON.stringify(answer) ? draft : null;
    } catch {
      return null;
    }
  }

  drop(number) {
    try {
      sessionStorage.removeItem(this.start + number);
    } catch {
      // Nothing was stored.
    }
  }
}
