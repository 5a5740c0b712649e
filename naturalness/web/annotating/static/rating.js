// The page on which one rates: a sentence (or two), an answer, the next one.

import { Away, Refused, call } from "./calling.js";
import { Drafts } from "./drafts.js";
import { Keyboard, keyDialog } from "./keyboard.js";
import { showLast, showLive, showProgress } from "./beside.js";
import { Outbox } from "./outbox.js";
import { Sentence } from "./sentence.js";
import { Slider } from "./slider.js";

const LOOK_AGAIN = 3000;
const NOTICES = {
  away: "The server does not answer. What you said is kept in this browser and sent as soon as it is "
    + "back; if it was stopped, start it again with the same command.",
  closed: "The server was started anew and no longer knows this page. What you said is kept in this "
    + "browser: open the address that the command has printed, and it is sent.",
};

const find = (id) => document.getElementById(id);
const work = find("work");
const { project, rater, kind } = work.dataset;
const note = find("note");
const cause = find("cause");
const boxes = [...document.querySelectorAll(".sentence")];
const drafts = new Drafts(project);
const outbox = new Outbox(project, (state) => tell(NOTICES[state] ?? "", state !== ""));
const slider = find("slider") ? new Slider(find("slider"), find("slider-send"), rate) : null;

let turn = null; // what the server said last
let sentences = [];
let busy = true;
let since = 0; // when the sentence was first seen, less the time in which the page was hidden

function tell(message, urgent = false) {
  const place = find("notice");
  if (place.textContent !== message) place.textContent = message;
  place.classList.toggle("urgent", urgent);
}

function say(message) {
  find("said").textContent = message;
}

function given() {
  return {
    note: note.value.trim(),
    cause: cause.value,
    marks: kind === "pairs" ? [] : sentences[0].marks(),
  };
}

function changed() {
  if (turn?.question) drafts.keep(turn.question.number, given());
  const said = sentences.length === 1 ? sentences[0].said() : "";
  find("marked").textContent = said ? `Sounds wrong: ${said}` : "";
}

function show(reply, heading = "") {
  turn = reply;
  busy = false;
  const { question } = reply;
  work.classList.toggle("finished", question === null);
  showProgress(reply.progress);
  showLast(reply.last);
  showLive(reply.live);
  for (const button of document.querySelectorAll('[data-action="undo"]')) {
    button.setAttribute("aria-disabled", String(reply.last === null));
  }
  if (question === null) {
    sentences = [];
    say(`${heading} Nothing is left to rate.`);
    return;
  }
  const before = question.answer ?? drafts.of(question.number) ?? { note: "", cause: "", marks: [] };
  sentences = question.texts.map((text, place) => new Sentence(boxes[place], text.pieces, {
    marks: before.marks, changed, fixed: kind === "pairs",
  }));
  for (const box of boxes) box.parentElement.scrollTop = 0;
  note.value = before.note;
  cause.value = before.cause;
  find("why").textContent = question.told;
  for (const button of document.querySelectorAll("[data-value]")) {
    button.classList.toggle("earlier", question.answer?.value === Number(button.dataset.value));
  }
  slider?.start(question.answer?.value ?? null);
  changed();
  since = performance.now();
  say(`${heading} ${question.told}. ${question.texts.map((text) => text.plain).join(" Or: ")}`);
}

async function rate(value) {
  if (busy || !turn?.question) return;
  busy = true;
  for (const sentence of sentences) sentence.end();
  const { number } = turn.question;
  const seconds = Math.max(0, performance.now() - since) / 1000;
  await deliver({ project, rater, question: number, value, seconds, ...given() });
}

async function deliver(item) {
  try {
    const reply = await outbox.deliver(item);
    drafts.drop(item.question);
    if (reply.turn) show(reply.turn, reply.said);
    else await come();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await come();
    tell(error.message, true);
  }
}

// What is to be rated now, however long it takes until the server says so.
async function come() {
  for (let waited = false; ; waited = true) {
    try {
      await load();
      if (waited) tell("");
      return;
    } catch (error) {
      tell(error instanceof Away ? NOTICES.away : error.message, true);
      await new Promise((go) => setTimeout(go, LOOK_AGAIN));
    }
  }
}

async function undo() {
  if (busy || !turn?.last) return;
  busy = true;
  try {
    const reply = await call("/api/undo", { project, rater, question: turn.last.question });
    show(reply, "Taken back.");
    tell("");
  } catch (error) {
    busy = false;
    tell(error instanceof Away ? "The server does not answer: nothing was taken back." : error.message,
      true);
  }
}

async function load() {
  show(await call(`/api/turn?rater=${encodeURIComponent(rater)}`));
}

// What was going on when the page was left or the browser died comes first.
async function begin() {
  for (const item of outbox.waiting()) {
    try {
      await outbox.deliver(item);
      drafts.drop(item.question);
    } catch (error) {
      tell(error.message, true);
    }
  }
  await come();
}

// How far measuring and learning are, and whether another window has gone on.
async function look() {
  if (busy || document.hidden || document.querySelector("dialog[open]")) return;
  const asked = turn.question?.number ?? -1;
  try {
    const live = await call(`/api/live?rater=${encodeURIComponent(rater)}`);
    if (busy || asked !== (turn.question?.number ?? -1)) return;
    showLive(live);
    if (Object.values(NOTICES).includes(find("notice").textContent)) tell("");
    // null: a server that was started again has asked nobody anything yet.
    if (live.open !== null && live.open !== asked) {
      await load();
      if (asked >= 0) tell("That one was answered in another window; here is what comes now.");
    }
  } catch (error) {
    if (error instanceof Away) tell(NOTICES.away, true);
    else if (error.status === 401) tell(NOTICES.closed, true);
  }
}

function mark() {
  if (kind === "pairs" || !sentences.length) return;
  const [sentence] = sentences;
  if (sentence.marking) leave();
  else sentence.begin();
}

function leave() {
  for (const sentence of sentences) sentence.end();
  document.activeElement?.blur();
}

const ACTIONS = {
  skip: () => rate(null), undo, mark, note: () => note.focus(), cause: () => cause.focus(),
  keys: () => find("keys-open").click(), send: () => slider?.send(), lower: () => slider?.move(-5),
  higher: () => slider?.move(5),
};

function run(action) {
  if (action.startsWith("value:")) rate(Number(action.slice("value:".length)));
  else ACTIONS[action]?.();
}

const keyboard = new Keyboard(JSON.parse(work.dataset.keys), run);
keyDialog(keyboard, find("keys"), find("keys-open"), rater);

for (const button of document.querySelectorAll("[data-action]")) {
  button.addEventListener("click", () => run(button.dataset.action));
}
for (const box of boxes) {
  box.addEventListener("keydown", (event) => {
    if (sentences.some((sentence) => sentence.press(event))) return;
    if (event.key === "Escape") leave();
  });
}
for (const field of [note, cause]) {
  field.addEventListener("input", changed);
  field.addEventListener("keydown", (event) => {
    const done = event.key === "Enter" && !event.shiftKey && !event.isComposing && !event.repeat;
    if (event.key !== "Escape" && !(done && field === note)) return;
    event.preventDefault();
    field.blur();
  });
}
// Who chooses a cause by mouse or touch is done with it; by keyboard each arrow chooses anew.
let pointed = false;
cause.addEventListener("pointerdown", () => { pointed = true; });
cause.addEventListener("keydown", () => { pointed = false; });
cause.addEventListener("change", () => {
  if (pointed) cause.blur();
  pointed = false;
});
let hiddenAt = 0;
document.addEventListener("visibilitychange", () => {
  if (document.hidden) hiddenAt = performance.now();
  else since += performance.now() - hiddenAt;
});
begin().then(() => setInterval(look, LOOK_AGAIN));
