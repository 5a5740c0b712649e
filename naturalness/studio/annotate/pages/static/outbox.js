// Answers to be sent: each is kept in the browser until the server confirms that it is stored.
//
// An answer has the number of its question as its key, and the server stores one answer per question,
// so resending is harmless. An answer is dropped only if the project itself refuses it: it is not lost
// if the disk is full, or if another server or another project is at this address.

import { Failure } from "./calling.js";

export class Outbox {
  // `tell` is called with each failure to send, and with null once the server replies again.
  constructor(server, project, tell) {
    this.server = server;
    this.start = `naturalness:${project}:answer:`;
    this.tell = tell;
    this.memory = new Map(); // in case the browser stores nothing (private windows, full storage)
  }

  keep(item) {
    const name = this.start + item.question;
    this.memory.set(name, JSON.stringify(item));
    try {
      localStorage.setItem(name, JSON.stringify(item));
    } catch {
      // The copy in memory lasts until the page is closed.
    }
  }

  drop(item) {
    const name = this.start + item.question;
    this.memory.delete(name);
    try {
      localStorage.removeItem(name);
    } catch {
      // Nothing was stored there.
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
      // Return only the answers in memory.
    }
    return [...found.values()].flatMap((text) => {
      try {
        return [JSON.parse(text)];
      } catch {
        return []; // not an answer stored by this code
      }
    });
  }

  // Send an answer until it is stored or finally refused; return the reply of the server.
  async deliver(item) {
    this.keep(item);
    try {
      const reply = await this.server.patiently(() => this.server.post("/api/answer", item), this.tell);
      this.drop(item);
      return reply;
    } catch (error) {
      if (error instanceof Failure) this.drop(item);
      throw error;
    }
  }
}
