// Requests to the server: JSON both ways, and two ways to fail that a page must tell apart.

// The server does not answer, or failed: the same request may succeed later.
export class Away extends Error {}

// The server answered no: the same request will be refused again.
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const PATIENCE = 20000;

export async function call(path, body) {
  const options = { cache: "no-store", headers: { accept: "application/json" } };
  if (body !== undefined) {
    options.method = "POST";
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  let reply;
  try {
    response = await fetch(path, { ...options, signal: AbortSignal.timeout(PATIENCE) });
    reply = await response.json();
  } catch {
    // Also a reply that breaks off or is none of ours: what was asked may not have been done.
    throw new Away("the server does not answer");
  }
  if (response.status >= 500) throw new Away(reply.error ?? "the server failed");
  if (!response.ok) throw new Refused(response.status, reply.error ?? `refused (${response.status})`);
  return reply;
}
