// The rating page: show a sentence, send the answer, show the next one.

import { Failure, Server, explain } from "./calling.js";
import { Drafts } from "./drafts.js";
import { endGuide, foldGuide } from "./guide.js";
import { listenToKeys } from "./keyboard.js";
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
const { project, rater } = work.dataset;
const note = find("note");
const cause = find("cause");
const box = find("sentence");
const server = new Server(project, rater);
const drafts = new Drafts(project);
const outbox = new Outbox(server, project, lost(ANSWER));
const slider = find("slider") ? new Slider(find("slider"), find("slider-send"), rate) : null;

let turn = null; // the last state that the server sent
let sentence = null;
let busy = true; // whether a request is in progress
let since = 0; // when the sentence was first shown, later by the time for which the page was hidden
let away = false; // whether the notice says that the server cannot be reached

function tell(message, urgent = false) {
  const box = find("notice");
  if (box.textContent !== message) box.textContent = message;
  box.classList.toggle("urgent", urgent);
  away = false;
}

// Return a callback that shows a failure to reach the server; null means that it can be reached again.
function lost(promise) {
  return (failure) => {
    if (failure === null && !away) return;
    tell(failure === null ? "" : explain(failure, promise), failure !== null);
    away = failure !== null;
  };
}

function occupy(is) {
  busy = is;
  document.querySelector(".asked").setAttribute("aria-busy", String(is));
}

function say(message) {
  find("said").textContent = message;
}

function given() {
  return {
    note: note.value.trim(),
    cause: cause.value,
    marks: sentence.marks(),
  };
}

function changed() {
  if (turn?.question) drafts.keep(turn.question, given());
  const said = sentence.said();
  find("marked").textContent = said ? `Sounds wrong: ${said}` : "";
}

function show(next, heading = "") {
  turn = next;
  occupy(false);
  const { question } = turn;
  work.classList.toggle("finished", question === null);
  showProgress(turn.progress);
  showLast(turn.last);
  showLive(turn.live);
  for (const button of document.querySelectorAll('[data-action="undo"]')) {
    button.setAttribute("aria-disabled", String(turn.last === null));
  }
  if (question === null) {
    sentence = null;
    say(`${heading} Nothing is left to rate.`);
  } else {
    ask(question);
    say(`${heading} ${question.wording}. ${question.text}`);
  }
}

// Show a question, with the draft or the undone answer if there is one.
function ask(question) {
  const before = drafts.of(question) ?? question.answer ?? { note: "", cause: "", marks: [] };
  sentence = new Sentence(box, question.pieces, { marks: before.marks, changed });
  box.parentElement.scrollTop = 0;
  note.value = before.note;
  cause.value = before.cause;
  find("why").textContent = question.wording;
  for (const button of document.querySelectorAll("[data-value]")) {
    button.classList.toggle("earlier", question.answer?.value === Number(button.dataset.value));
  }
  slider?.start(question.answer?.value ?? null);
  changed();
  reveal(box);
  since = performance.now();
}

// Show the turn in a reply; if it has none, the request has succeeded, and the turn is fetched.
async function take(reply) {
  if (reply.turn) show(reply.turn, reply.said);
  else await come();
}

async function rate(value) {
  if (busy || !turn?.question) return;
  const { number } = turn.question;
  occupy(true);
  sentence.end();
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
  occupy(true);
  tell("");
  await request(() => server.patiently(() => server.post("/api/undo", { question }), lost(UNDO)));
}

// Send a request, and show the next question, or why the request was refused.
async function request(send) {
  let reply;
  try {
    reply = await send();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await come();
    tell(error.message, true);
    return;
  }
  await take(reply);
}

// Fetch the current question; retry until the server answers.
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

// Send the answers that were not delivered before the page was left or the browser crashed.
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

// Update the progress of measuring and learning, and check whether another window has moved on.
async function look() {
  if (busy || document.hidden) return;
  const shown = turn;
  const asked = shown.question?.number ?? -1;
  // Whether the rater has acted in the meantime, so that the reply is out of date.
  const late = () => busy || turn !== shown;
  try {
    const live = await server.get("/api/live");
    if (late()) return;
    showLive(live);
    lost("")(null);
    // null: the server was restarted and has not shown any question yet.
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
  if (!sentence) return;
  if (sentence.marking) leave();
  else sentence.begin();
}

function leave() {
  sentence?.end();
  document.activeElement?.blur();
}

const ACTIONS = {
  skip: () => rate(null), undo, mark, guide: foldGuide, note: () => note.focus(), cause: () => cause.focus(),
  send: () => slider?.send(), lower: () => slider?.move(-5), higher: () => slider?.move(5),
};

function run(action) {
  const [kind, value] = action.split(":");
  if (kind === "value") rate(Number(value));
  else if (kind === "tenth") slider?.jump(Number(value));
  else ACTIONS[action]?.();
}

// Run an action chosen by key or button. During a request, nothing is rated or undone, since nobody has seen the
// next sentence yet.
function choose(action) {
  if (!busy || (action !== "undo" && !rates(action))) run(action);
}

listenToKeys(JSON.parse(work.dataset.keys), onSeen(box, choose, say));

for (const button of document.querySelectorAll("[data-action]")) {
  button.addEventListener("click", () => choose(button.dataset.action));
}
box.addEventListener("keydown", (event) => {
  if (!sentence?.press(event) && event.key === "Escape") leave();
});
for (const field of [note, cause]) {
  field.addEventListener("input", changed);
  field.addEventListener("keydown", (event) => {
    const done = event.key === "Enter" && !event.shiftKey && !event.isComposing && !event.repeat;
    if (event.key !== "Escape" && !(done && field === note)) return;
    event.preventDefault();
    field.blur();
  });
}
// A choice by mouse or touch is final, so the field loses focus; by keyboard, each arrow key changes the choice.
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
