// Notes, causes and marks of a sentence that is not rated yet: kept if the page is loaded again.

export class Drafts {
  constructor(project) {
    this.start = `naturalness:${project}:draft:`;
  }

  keep(question, draft) {
    const empty = !draft.note && !draft.cause && !draft.marks.length;
    try {
      if (empty) sessionStorage.removeItem(this.start + question);
      else sessionStorage.setItem(this.start + question, JSON.stringify(draft));
    } catch {
      // Nothing is kept in this browser; what is on the page stays there.
    }
  }

  of(question) {
    try {
      return JSON.parse(sessionStorage.getItem(this.start + question));
    } catch {
      return null;
    }
  }

  drop(question) {
    try {
      sessionStorage.removeItem(this.start + question);
    } catch {
      // Nothing was kept.
    }
  }
}
