// The page of a rater's own answers: search the list, and correct one answer at a time.

import { Failure, Server, explain } from "./calling.js";
import { foldContext, offerWhole, sayContext, showContext } from "./context.js";
import { foldGuide } from "./guide.js";
import { Keyboard, keyDialog } from "./keyboard.js";
import { Sentence } from "./sentence.js";
import { Slider } from "./slider.js";
import { onSeen, reveal } from "./view.js";

const PAUSE = 250; // milliseconds after the last key press before a search begins

const find = (id) => document.getElementById(id);
const work = find("work");
const { project, rater, kind } = work.dataset;
const note = find("note");
const cause = find("cause");
const search = find("search");
const list = find("answers");
const listed = document.querySelector(".listed");
const asked = document.querySelector(".asked");
const boxes = [...asked.querySelectorAll(".sentence")];
const server = new Server(project, rater);
const slider = find("slider") ? new Slider(find("slider"), find("slider-send"), store) : null;

let items = [];
let open = null; // the answer that is being corrected
let sentences = [];
let busy = false;
let searches = 0;

const tell = (message) => {
  find("notice").textContent = message;
};
const lost = (promise) => (failure) => tell(failure === null ? "" : explain(failure, promise));
const say = (message) => {
  find("said").textContent = message;
};

const made = (tag, text, kind_ = "") => {
  const element = document.createElement(tag);
  element.textContent = text;
  if (kind_) element.className = kind_;
  return element;
};

const when = (at) => new Date(at).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });

// Build an entry of the list: texts with marks, the answer, and a button.
function card(item) {
  const element = made("li", "", "said-by");
  element.dataset.question = item.number;
  const top = made("p", "", "top");
  const rating = made("b", item.said);
  const change = made("button", "Change", "quiet");
  change.type = "button";
  change.addEventListener("click", () => edit(item));
  const right = made("span", "");
  right.append(rating, " ", change);
  const time = made("time", when(item.at), "soft");
  time.dateTime = item.at;
  top.append(time, right);
  element.append(top);
  if (item.context.length) {
    const box = made("div", "", "context");
    showContext(box, item.context);
    element.append(box);
  }
  item.texts.forEach((text, place) => {
    if (item.texts.length > 1) element.append(made("p", place ? "Second" : "First", "which"));
    if (text.context.length) {
      const box = made("div", "", "context");
      showContext(box, text.context);
      element.append(box);
    }
    const box = made("p", "", "sentence");
    box.dir = "auto";
    box.id = `answer-${item.number}-${place}`;
    const sentence = new Sentence(box, text.pieces, { fixed: true });
    if (kind !== "pairs") sentence.mark(item.answer.marks);
    element.append(box);
  });
  // With a screen reader, many buttons that just say "Change" could not be told apart.
  change.setAttribute("aria-describedby", `answer-${item.number}-0`);
  const again = item.again ? "asked again" : "";
  const rest = [item.cause, item.answer.note && `“${item.answer.note}”`, again];
  const words = rest.filter(Boolean).join("; ");
  if (words) element.append(made("p", words, "soft"));
  return element;
}

const cardOf = (item) => list.querySelector(`[data-question="${item.number}"]`);

async function ask(start) {
  const turn = ++searches;
  const query = { search: search.value, start };
  const reply = await server.patiently(() => server.get("/api/answers", query), lost("The answers will appear once it does."));
  if (turn !== searches) return; // a newer search has started
  items = start ? [...items, ...reply.items] : reply.items;
  const { matching, total } = reply;
  find("many").textContent = total ? `${matching} of ${total} answers` : "You have not answered anything yet.";
  find("further").hidden = items.length >= matching;
  if (start) list.append(...reply.items.map(card));
  else list.replaceChildren(...items.map(card));
}

const load = (start = 0) => ask(start).catch((error) => {
  if (!(error instanceof Failure)) throw error;
  tell(error.message);
});

function edit(item) {
  open = item;
  listed.hidden = true;
  asked.hidden = false;
  tell("");
  const { answer } = item;
  sentences = item.texts.map((text, place) => new Sentence(boxes[place], text.pieces, {
    marks: answer.marks, changed, fixed: kind === "pairs",
  }));
  showContext(find("context"), item.context);
  item.texts.forEach((text, place) => showContext(find(`context-${place + 1}`), text.context));
  offerWhole();
  find("why").textContent = `You said: ${item.said}. Choose another rating, or change what is beside it.`;
  note.value = answer.note;
  cause.value = answer.cause;
  for (const button of document.querySelectorAll("[data-value]")) {
    button.classList.toggle("earlier", answer.value === Number(button.dataset.value));
  }
  slider?.start(answer.value);
  changed();
  boxes[0].parentElement.focus();
  reveal(boxes);
  const texts = item.texts.map(({ context, plain }) => `${sayContext(context)} ${plain}`);
  say(`You said: ${item.said}. ${sayContext(item.context)} ${texts.join(" Or: ")}`);
}

function changed() {
  const said = sentences.length === 1 ? sentences[0].said() : "";
  find("marked").textContent = said ? `Sounds wrong: ${said}` : "";
}

function close(words) {
  const item = open;
  open = null;
  for (const sentence of sentences) sentence.end();
  asked.hidden = true;
  listed.hidden = false;
  cardOf(item)?.querySelector("button").focus();
  say(words);
}

async function store(value) {
  if (busy || !open) return;
  busy = true;
  const marks = kind === "pairs" ? [] : sentences[0].marks();
  const body = { question: open.number, value, note: note.value.trim(), cause: cause.value, marks };
  try {
    const { item } = await server.patiently(
      () => server.post("/api/correct", body), lost("Leave this page open: it is sent again until it is stored."),
    );
    const there = cardOf(item);
    items = items.map((one) => (one.number === item.number ? item : one));
    there?.replaceWith(card(item));
    open = item;
    close(`Changed: ${item.said}.`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    tell(error.message);
  }
  busy = false;
}

function mark() {
  if (kind === "pairs" || !open) return;
  if (sentences[0].marking) sentences[0].end();
  else sentences[0].begin();
}

const ACTIONS = {
  skip: () => store(null), undo: () => open && !busy && close("Nothing was changed."), mark,
  note: () => open && note.focus(), cause: () => open && cause.focus(), context: foldContext, guide: foldGuide,
  keys: () => find("keys-open").click(), send: () => slider?.send(), lower: () => open && slider?.move(-5),
  higher: () => open && slider?.move(5),
};

function run(action) {
  if (!action.startsWith("value:")) ACTIONS[action]?.();
  else if (open) store(Number(action.slice("value:".length)));
}

const keyboard = new Keyboard(JSON.parse(work.dataset.keys), onSeen(boxes, run, say));
keyDialog(keyboard, find("keys"), find("keys-open"), server);
for (const button of document.querySelectorAll("[data-action]")) {
  button.addEventListener("click", () => run(button.dataset.action));
}
find("store").addEventListener("click", () => open && store(slider?.is ? Number(find("slider").value) : open.answer.value));
find("further").addEventListener("click", () => load(items.length));
let waiting = 0;
search.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(load, PAUSE);
});
for (const box of boxes) {
  box.addEventListener("keydown", (event) => {
    if (sentences.some((sentence) => sentence.press(event))) return;
    if (event.key === "Escape" && sentences[0]?.marking) {
      sentences[0].end();
      event.stopPropagation();
    }
  });
}
for (const field of [note, cause]) {
  field.addEventListener("keydown", (event) => {
    const done = event.key === "Enter" && !event.shiftKey && !event.isComposing && !event.repeat;
    if (event.key !== "Escape" && !(done && field === note)) return;
    event.preventDefault();
    event.stopPropagation();
    field.blur();
  });
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && open && !document.querySelector("dialog[open]")) ACTIONS.undo();
});
load();
