// Notes, causes and marks of a sentence that is not rated yet: kept if the page is loaded again.

export class Drafts {
  constructor(project) {
    this.start = `naturalness:${project}:draft:`;
  }

  // `earlier` is the answer that was taken back, which the page began with.
  keep({ number, answer: earlier }, draft) {
    try {
      sessionStorage.setItem(this.start + number, JSON.stringify({ earlier, draft }));
    } catch {
      // Nothing is kept in this browser; what is on the page stays there.
    }
  }

  // What was written since the question was asked, or asked anew.
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
      // Nothing was kept.
    }
  }
}
