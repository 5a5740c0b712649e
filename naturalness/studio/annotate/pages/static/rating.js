// The page on which one rates: a sentence (or two), an answer, the next one.

import { Failure, Server, explain } from "./calling.js";
import { foldContext, offerWhole, sayContext, showContext } from "./context.js";
import { Drafts } from "./drafts.js";
import { endGuide, foldGuide } from "./guide.js";
import { Keyboard, keyDialog } from "./keyboard.js";
import { showLast, showLive, showProgress } from "./beside.js";
import { Outbox } from "./outbox.js";
import { Sentence } from "./sentence.js";
import { Slider } from "./slider.js";
import { onSeen, rates, reveal } from "./view.js";

const LOOK_AGAIN = 3000;
const ANSWER = "Your answer is kept in this browser and sent again until it is stored.";
const UNDO = "The answer will be taken back as soon as possible; leave this page open.";
const NEXT = "Your answer is stored; the next sentence will come as soon as possible.";

const find = (id) => document.getElementById(id);
const work = find("work");
const { project, rater, kind } = work.dataset;
const note = find("note");
const cause = find("cause");
const boxes = [...document.querySelectorAll(".sentence")];
const server = new Server(project, rater);
const drafts = new Drafts(project);
const outbox = new Outbox(server, project, lost(ANSWER));
const slider = find("slider") ? new Slider(find("slider"), find("slider-send"), rate) : null;

let turn = null; // what the server said last
let sentences = [];
let busy = { doing: "load" }; // what the server is asked for; null while it is the rater's turn
let held = []; // actions that were chosen meanwhile
let since = 0; // when the sentence was first seen, less the time in which the page was hidden
let away = false; // whether the notice is that the server cannot be reached

function tell(message, urgent = false) {
  const box = find("notice");
  if (box.textContent !== message) box.textContent = message;
  box.classList.toggle("urgent", urgent);
  away = false;
}

// Says that the server cannot be reached; null: it can be reached again.
function lost(promise) {
  return (failure) => {
    if (failure === null && !away) return;
    tell(failure === null ? "" : explain(failure, promise), failure !== null);
    away = failure !== null;
  };
}

function occupy(what) {
  busy = what;
  document.querySelector(".asked").setAttribute("aria-busy", String(what !== null));
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
  if (turn?.question) drafts.keep(turn.question, given());
  const said = sentences.length === 1 ? sentences[0].said() : "";
  find("marked").textContent = said ? `Sounds wrong: ${said}` : "";
}

function show(next, heading = "") {
  // What was chosen after an undo is for the sentence that it brings back, and for no other.
  if (busy?.doing === "undo" && busy.question !== next.question?.number) held = [];
  turn = next;
  occupy(null);
  const { question } = turn;
  work.classList.toggle("finished", question === null);
  showProgress(turn.progress);
  showLast(turn.last);
  showLive(turn.live);
  for (const button of document.querySelectorAll('[data-action="undo"]')) {
    button.setAttribute("aria-disabled", String(turn.last === null));
  }
  if (question === null) {
    sentences = [];
    say(`${heading} Nothing is left to rate.`);
  } else {
    ask(question);
    const texts = question.texts.map(({ context, plain }) => `${sayContext(context)} ${plain}`);
    say(`${heading} ${question.wording}. ${sayContext(question.context)} ${texts.join(" Or: ")}`);
  }
  while (!busy && held.length) run(held.shift());
}

// Put a question on the page, with what was said of it before.
function ask(question) {
  const before = drafts.of(question) ?? question.answer ?? { note: "", cause: "", marks: [] };
  sentences = question.texts.map((text, place) => new Sentence(boxes[place], text.pieces, {
    marks: before.marks, changed, fixed: kind === "pairs",
  }));
  showContext(find("context"), question.context);
  question.texts.forEach((text, place) => showContext(find(`context-${place + 1}`), text.context));
  offerWhole();
  for (const box of boxes) box.parentElement.scrollTop = 0;
  note.value = before.note;
  cause.value = before.cause;
  find("why").textContent = question.wording;
  for (const button of document.querySelectorAll("[data-value]")) {
    button.classList.toggle("earlier", question.answer?.value === Number(button.dataset.value));
  }
  slider?.start(question.answer?.value ?? null);
  changed();
  reveal(boxes);
  since = performance.now();
}

// A reply of any route that brings a turn; without one, what was asked for is done.
async function take(reply) {
  if (reply.turn) show(reply.turn, reply.said);
  else await come();
}

async function rate(value) {
  if (busy || !turn?.question) return;
  const { number } = turn.question;
  occupy({ doing: "answer", question: number });
  for (const sentence of sentences) sentence.end();
  tell("");
  endGuide();
  const seconds = Math.max(0, performance.now() - since) / 1000;
  await request(async () => {
    const reply = await outbox.deliver({ project, rater, question: number, value, seconds, ...given() });
    drafts.drop(number);
    return reply;
  });
}

async function undo() {
  if (busy || !turn?.last) return;
  const { question } = turn.last;
  occupy({ doing: "undo", question });
  tell("");
  await request(() => server.patiently(() => server.post("/api/undo", { question }), lost(UNDO)));
}

// Have something done, and show what comes after it, or why it was refused.
async function request(send) {
  let reply;
  try {
    reply = await send();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    held = [];
    await come();
    tell(error.message, true);
    return;
  }
  await take(reply);
}

// What is to be rated now, however long it takes until the server says so.
async function come() {
  for (;;) {
    try {
      await take(await server.patiently(() => server.get("/api/turn"), lost(NEXT)));
      return;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      tell(error.message, true);
      await new Promise((go) => setTimeout(go, LOOK_AGAIN));
    }
  }
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
  const shown = turn;
  const asked = shown.question?.number ?? -1;
  // What the rater has done meanwhile is newer than what is said here.
  const late = () => busy !== null || turn !== shown;
  try {
    const live = await server.get("/api/live");
    if (late()) return;
    showLive(live);
    lost("")(null);
    // null: a server that was started again has asked nobody anything yet.
    if (live.open === null || live.open === asked) return;
    const reply = await server.get("/api/turn");
    if (late()) return;
    show(reply.turn);
    if (asked >= 0) tell("That question was answered in another window; here is the next one.");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (!late()) lost("Your answers are kept in this browser until they are stored.")(error);
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
  skip: () => rate(null), undo, mark, context: foldContext, guide: foldGuide, note: () => note.focus(), cause: () => cause.focus(),
  keys: () => find("keys-open").click(), send: () => slider?.send(), lower: () => slider?.move(-5),
  higher: () => slider?.move(5),
};

function run(action) {
  if (action.startsWith("value:")) rate(Number(action.slice("value:".length)));
  else ACTIONS[action]?.();
}

const MOVES = ["lower", "higher"];

// An action that somebody chose, by key or button. While the server is asked, an undo waits for
// its reply, and so does what is said of the sentence that an undo brings back. Of a sentence that
// nobody has seen yet nothing can be said, and nothing more is taken once the page says that the
// server is away.
function choose(action) {
  const before = held.findLast((one) => !MOVES.includes(one)) ?? busy?.doing;
  const waits = busy !== null && (action === "undo" || rates(action));
  if (!waits) run(action);
  else if (!away && (action === "undo" ? before !== "load" : before === "undo")) held.push(action);
}

const keyboard = new Keyboard(JSON.parse(work.dataset.keys), onSeen(boxes, choose, say));
keyDialog(keyboard, find("keys"), find("keys-open"), server);

for (const button of document.querySelectorAll("[data-action]")) {
  button.addEventListener("click", () => choose(button.dataset.action));
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
