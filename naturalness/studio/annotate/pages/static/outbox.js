// Answers on their way: each is kept in the browser until the server says that it is stored.
//
// An answer is named by the number of its question, and the server takes one for a question once,
// so that sending it again does no harm. It is dropped only where the project itself refuses it:
// no room on the disk, another server or another project at this address cost no answer.

import { Failure } from "./calling.js";

export class Outbox {
  // `tell` is called with each failure to send, and with null once there is a reply again.
  constructor(server, project, tell) {
    this.server = server;
    this.start = `naturalness:${project}:answer:`;
    this.tell = tell;
    this.memory = new Map(); // where the browser keeps nothing (private windows, full storage)
    this.stored = new Set(); // what it does keep
  }

  keep(item) {
    const name = this.start + item.question;
    this.memory.set(name, JSON.stringify(item));
    try {
      localStorage.setItem(name, JSON.stringify(item));
      this.stored.add(name);
    } catch {
      // In memory it lives as long as the page.
    }
  }

  drop(item) {
    const name = this.start + item.question;
    this.memory.delete(name);
    this.stored.delete(name);
    try {
      localStorage.removeItem(name);
    } catch {
      // Nothing was kept there either.
    }
  }

  // Whether another window has delivered it, and may have taken it back since.
  delivered(item) {
    const name = this.start + item.question;
    try {
      return this.stored.has(name) && localStorage.getItem(name) === null;
    } catch {
      return false;
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
    return [...found.values()].flatMap((text) => {
      try {
        return [JSON.parse(text)];
      } catch {
        return []; // nothing that was kept here
      }
    });
  }

  // Send until it is stored or refused for good; the reply of the server comes back.
  async deliver(item) {
    this.keep(item);
    try {
      const reply = await this.server.patiently(
        () => (this.delivered(item) ? { said: "", turn: null } : this.server.post("/api/answer", item)),
        this.tell,
      );
      this.drop(item);
      return reply;
    } catch (error) {
      if (error instanceof Failure) this.drop(item);
      throw error;
    }
  }
}
