// Answers on their way: each is kept in the browser until the server says that it is stored.
//
// An answer is named by the number of its question, and the server takes one for a question once,
// so that sending it again does no harm.

import { Away, Refused, call } from "./calling.js";

const PAUSES = [300, 700, 1500, 3000, 5000];
const CLOSED = 401;

export class Outbox {
  // `tell` is called with a sentence for the page while the server is away, and with "" after it.
  constructor(project, tell) {
    this.start = `naturalness:${project}:answer:`;
    this.tell = tell;
    this.memory = new Map(); // where the browser keeps nothing (private windows, full storage)
  }

  keep(item) {
    const name = this.start + item.question;
    this.memory.set(name, JSON.stringify(item));
    try {
      localStorage.setItem(name, JSON.stringify(item));
    } catch {
      // In memory it lives as long as the page.
    }
  }

  drop(item) {
    this.memory.delete(this.start + item.question);
    try {
      localStorage.removeItem(this.start + item.question);
    } catch {
      // Nothing was kept there either.
    }
  }

  waiting() {
    const found = new Map(this.memory);
    try {
      for (let i = 0; i < localStorage.length; i += 1) {
        const name = localStorage.key(i);
        if (name.startsWith(this.start)) found.set(name, localStorage.getItem(name));
      }
    } catch {
      // Only what is in memory then.
    }
    return [...found.values()].map((kept) => JSON.parse(kept));
  }

  // Send until it is stored or refused; the answer of the server comes back.
  async deliver(item) {
    this.keep(item);
    for (let turn = 0; ; turn += 1) {
      try {
        const reply = await call("/api/answer", item);
        this.drop(item);
        this.tell("");
        return reply;
      } catch (error) {
        const closed = error instanceof Refused && error.status === CLOSED;
        if (error instanceof Refused && !closed) {
          this.drop(item);
          this.tell("");
          throw error;
        }
        if (!closed && !(error instanceof Away)) throw error;
        this.tell(closed ? "closed" : "away");
        await new Promise((go) => setTimeout(go, PAUSES[Math.min(turn, PAUSES.length - 1)]));
      }
    }
  }
}
