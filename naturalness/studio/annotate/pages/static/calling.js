// Requests to the server on behalf of a rater, with JSON in both directions.

const PATIENCE = 20000;
const PAUSES = [300, 700, 1500, 3000, 5000];

// Why a request failed. Status 0: there was no answer, or it did not come from our server.
export class Failure extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }

  // Whether the project itself refused the request and would do so again; otherwise, it may succeed later.
  get final() {
    return this.status === 409 || this.status === 422;
  }
}

// Return the message that a page shows while it retries; `promise` says what happens to unsent data.
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

  // Fetch markup from the server.
  async part(path) {
    return (await this.fetch(path)).text;
  }

  async post(path, body) {
    const sent = { ...this.sender, ...body };
    const headers = { "content-type": "application/json" };
    return (await this.fetch(path, { method: "POST", headers, body: JSON.stringify(sent) })).json;
  }

  // Retry until there is a reply or a final refusal; `tell` gets each failure, and null when they end.
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
      // This includes a reply that breaks off or comes from another server: the request may not have been executed.
      throw new Failure(0, "the server does not answer");
    }
    if (!response.ok) throw new Failure(response.status, json?.error ?? `status ${response.status}`);
    return { json, text };
  }
}
