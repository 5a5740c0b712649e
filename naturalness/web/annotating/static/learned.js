// Fetches what was learned when there is something new, and leaves the reader where they are.

import { Away, call } from "./calling.js";

const LOOK_AGAIN = 3000;
const part = document.getElementById("learned");
const notice = document.getElementById("notice");

async function look() {
  if (document.hidden) return;
  try {
    const { version } = await call("/api/version");
    if (notice.textContent) notice.textContent = "";
    if (version === part.dataset.version) return;
    const found = await fetch("/learned/part", { cache: "no-store" });
    if (!found.ok) return;
    const open = [...part.querySelectorAll("details")].map((one) => one.open);
    // The server's own markup: all that came from a table or a rater is escaped in it.
    const fresh = new DOMParser().parseFromString(await found.text(), "text/html");
    part.replaceChildren(...fresh.body.childNodes);
    [...part.querySelectorAll("details")].forEach((one, place) => { one.open = open[place] ?? false; });
    part.dataset.version = version;
  } catch (error) {
    if (error instanceof Away) notice.textContent = "The server does not answer; what stands here is what it said last.";
    else notice.textContent = error.message;
  }
}

setInterval(look, LOOK_AGAIN);
