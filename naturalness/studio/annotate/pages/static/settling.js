// The page on which disagreements are settled: one after the other, by keyboard as one rates.

import { Failure, Server, explain } from "./calling.js";
import { foldContext, offerWhole, sayContext, showContext } from "./context.js";
import { foldGuide } from "./guide.js";
import { Keyboard, keyDialog } from "./keyboard.js";
import { Sentence } from "./sentence.js";
import { Slider } from "./slider.js";

const find = (id) => document.getElementById(id);
const work = find("work");
const { project, rater, kind } = work.dataset;
const note = find("note");
const server = new Server(project, rater);
const slider = find("slider") ? new Slider(find("slider"), find("slider-send"), settle) : null;

let items = [];
let at = 0;
let may = true;
let busy = true;

function tell(message) {
  find("notice").textContent = message;
}

// While the server cannot be reached the page waits for it; null: it can be reached again.
const lost = (promise) => (failure) => tell(failure === null ? "" : explain(failure, promise));

const made = (tag, text, kind_ = "") => {
  const element = document.createElement(tag);
  element.textContent = text;
  if (kind_) element.className = kind_;
  return element;
};

// Whether all that is read before the texts of an item is the same; it is then shown once.
const shared = ({ contexts }) => new Set(contexts.map((parts) => JSON.stringify(parts))).size === 1;

function contextBox(parts) {
  const box = made("div", "", "context");
  showContext(box, parts);
  return box;
}

// What one rater said: the text with this rater's marks, the value, the note.
function opinion(item, rating, number) {
  const card = made("li", "", "said-by");
  const top = made("p", "", "top");
  const name = made("bdi", rating.rater);
  const who = made("span", "");
  who.append(name);
  top.append(who, made("b", rating.said));
  card.append(top);
  item.pieces.forEach((pieces, place) => {
    const box = made("p", "", "sentence");
    box.dir = "auto";
    box.id = `sentence-${number}-${place}`;
    const sentence = new Sentence(box, pieces, { fixed: true });
    if (kind !== "pairs") sentence.mark(rating.marks);
    if (item.pieces.length > 1) {
      card.append(made("p", place ? "Second" : "First", "which"));
      if (!shared(item)) card.append(contextBox(item.contexts[place]));
    }
    card.append(box);
  });
  const rest = [rating.cause, rating.note && `“${rating.note}”`, rating.later];
  for (const one of rest) if (one) card.append(made("p", one, "soft"));
  return card;
}

function show(heading = "") {
  const item = items[at];
  work.classList.toggle("finished", !item);
  if (!item) {
    find("told").textContent = `${heading} ${find("none").textContent}`;
    return;
  }
  const open = items.filter((one) => one.settled === null).length;
  const { settled } = item;
  const state = settled ? `: settled by ${settled.by} as ${settled.said}` : "";
  find("place").textContent = `${at + 1} of ${items.length}, ${open} still open${state}`;
  showContext(find("context"), shared(item) ? item.contexts[0] : []);
  find("ratings").replaceChildren(...item.ratings.map((one, number) => opinion(item, one, number)));
  offerWhole();
  note.value = settled?.note ?? "";
  for (const button of document.querySelectorAll("[data-value]")) {
    button.classList.toggle("earlier", settled?.value === Number(button.dataset.value));
  }
  find("reopen").setAttribute("aria-disabled", String(settled === null));
  slider?.start(settled?.value ?? null);
  const said = item.ratings.map((one) => `${one.rater}: ${one.said}`).join("; ");
  const texts = item.plain.map((text, place) => `${shared(item) ? "" : sayContext(item.contexts[place])} ${text}`);
  const before = shared(item) ? sayContext(item.contexts[0]) : "";
  find("told").textContent = `${heading} ${before} ${texts.join(" Or: ")} ${said}`;
}

function take(reply) {
  items = reply.items;
  may = reply.may;
  if (!may) tell("You can look, but not settle: the project names who may.");
}

async function settle(value) {
  const item = items[at];
  if (busy || !item || !may) return;
  busy = true;
  const same = (one) => one.texts.join() === item.texts.join();
  try {
    const body = { texts: item.texts, value, note: note.value.trim() };
    tell("");
    take(await server.patiently(
      () => server.post("/api/settle", body), lost("It is sent again until it is stored."),
    ));
    // The order changes with what is settled; the next open one comes, or this one stays.
    const next = items.findIndex((one) => one.settled === null);
    at = value !== null && next >= 0 ? next : Math.max(0, items.findIndex(same));
    show(value === null ? "Reopened." : "Settled.");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    tell(error.message);
  }
  busy = false;
}

function go(step) {
  if (busy || !items.length) return;
  at = (at + step + items.length) % items.length;
  show();
}

const ACTIONS = {
  skip: () => go(1), undo: () => go(-1), note: () => note.focus(), context: foldContext, guide: foldGuide,
  keys: () => find("keys-open").click(), send: () => slider?.send(), lower: () => slider?.move(-5),
  higher: () => slider?.move(5), reopen: () => items[at]?.settled && settle(null),
};

function run(action) {
  if (action.startsWith("value:")) settle(Number(action.slice("value:".length)));
  else ACTIONS[action]?.();
}

const keyboard = new Keyboard(JSON.parse(work.dataset.keys), run);
keyDialog(keyboard, find("keys"), find("keys-open"), server);
for (const button of document.querySelectorAll("[data-action]")) {
  button.addEventListener("click", () => run(button.dataset.action));
}
note.addEventListener("keydown", (event) => {
  const done = event.key === "Enter" && !event.shiftKey && !event.isComposing && !event.repeat;
  if (event.key !== "Escape" && !done) return;
  event.preventDefault();
  note.blur();
});

server.patiently(
  () => server.get("/api/disagreements"), lost("The disagreements will appear once it does."),
).then(take).then(
  () => {
    busy = false;
    show();
  },
  (error) => tell(error.message),
);
