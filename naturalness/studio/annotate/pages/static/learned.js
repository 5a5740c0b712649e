// Update the page about the model when there is something new, without moving the reader.

import { Failure, Server, explain } from "./calling.js";

const LOOK_AGAIN = 3000;
const part = document.getElementById("learned");
const notice = document.getElementById("notice");
const server = new Server(part.dataset.project, "");

async function look() {
  if (document.hidden) return;
  try {
    const { version } = await server.get("/api/live");
    if (notice.textContent) notice.textContent = "";
    if (version === part.dataset.version) return;
    const markup = await server.part("/learned/part");
    const open = [...part.querySelectorAll("details")].map((one) => one.open);
    // Markup from the server, in which text from tables and raters is escaped.
    const fresh = new DOMParser().parseFromString(markup, "text/html");
    part.replaceChildren(...fresh.body.childNodes);
    [...part.querySelectorAll("details")].forEach((one, place) => { one.open = open[place] ?? false; });
    part.dataset.version = version;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    notice.textContent = explain(error, "This page shows what it sent last.");
  }
}

setInterval(look, LOOK_AGAIN);
