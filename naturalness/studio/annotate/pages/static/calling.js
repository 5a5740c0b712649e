// Requests to the server: JSON both ways, for a rater of a project.

const PATIENCE = 20000;
const PAUSES = [300, 700, 1500, 3000, 5000];

// Why a request brought no reply. Status 0: nobody answered, or not in words of ours.
export class Failure extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }

  // The project itself refuses it, and will do so again; after all else it may succeed later.
  get final() {
    return this.status === 409 || this.status === 422;
  }
}

// What a page says while it asks again and again; `promise` is what becomes of what is sent.
export function explain(failure, promise) {
  if (failure.status === 0) {
    return `The server does not answer. ${promise} If it was stopped, start it again with the same command.`;
  }
  if (failure.status === 401) {
    return "The server was restarted and no longer knows this page: open the address that the "
      + `command printed. ${promise}`;
  }
  return `That did not work: ${failure.message}. ${promise}`;
}

export class Server {
  constructor(project, rater) {
    this.sender = { project, rater };
  }

  async get(path, more = {}) {
    return (await this.fetch(`${path}?${new URLSearchParams({ ...this.sender, ...more })}`)).json;
  }

  // Markup that the server has made.
  async part(path) {
    return (await this.fetch(path)).text;
  }

  async post(path, body) {
    const sent = { ...this.sender, ...body };
    const headers = { "content-type": "application/json" };
    return (await this.fetch(path, { method: "POST", headers, body: JSON.stringify(sent) })).json;
  }

  // Ask until there is a reply or a final refusal; `tell` gets each failure, and null after them.
  async patiently(ask, tell) {
    for (let turn = 0; ; turn += 1) {
      try {
        const reply = await ask();
        if (turn) tell(null);
        return reply;
      } catch (error) {
        if (!(error instanceof Failure) || error.final) {
          if (turn) tell(null);
          throw error;
        }
        tell(error);
        await new Promise((go) => setTimeout(go, PAUSES[Math.min(turn, PAUSES.length - 1)]));
      }
    }
  }

  async fetch(path, options = {}) {
    let response;
    let text;
    let json = null;
    try {
      response = await fetch(path, {
        cache: "no-store", ...options, signal: AbortSignal.timeout(PATIENCE),
        headers: { accept: "application/json", ...options.headers },
      });
      text = await response.text();
      const type = response.headers.get("content-type") ?? "";
      if (type.startsWith("application/json")) json = JSON.parse(text);
      else if (options.method) throw new Error("no reply of ours");
    } catch {
      // Also a reply that breaks off or is none of ours: what was asked may not have been done.
      throw new Failure(0, "the server does not answer");
    }
    if (!response.ok) throw new Failure(response.status, json?.error ?? `status ${response.status}`);
    return { json, text };
  }
}
