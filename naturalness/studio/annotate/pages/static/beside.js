// What stands around the sentence: progress, the answer before, what the model has learned.

const find = (id) => document.getElementById(id);
const OPINION = "naturalness:opinion";

export function showProgress({ done, goal, mine, pace }) {
  const bar = find("bar");
  bar.max = goal;
  bar.value = Math.min(done, goal);
  find("done").textContent = `${done} of ${goal} rated${mine}`;
  find("pace").textContent = pace;
}

export function showLast(last) {
  find("last").classList.toggle("none", last === null);
  find("last-text").textContent = last?.text ?? "";
  find("last-said").textContent = last?.said ?? "";
  find("last-opinion").textContent = last?.opinion ?? "";
}

export function showLive(live) {
  const { measured, texts, figure, advice, trouble } = live;
  const meter = find("measured");
  meter.max = texts;
  meter.value = measured;
  find("measuring").classList.toggle("over", measured >= texts);
  find("measured-said").textContent = `${measured} of ${texts} texts measured`;
  find("figure").textContent = figure.value;
  find("figure-said").textContent = figure.said;
  find("advice").textContent = advice;
  find("trouble").textContent = trouble;
}

// Who does not want the model's opinion does not get it, in this browser.
const opinion = find("opinion");
try {
  opinion.checked = localStorage.getItem(OPINION) !== "off";
} catch {
  opinion.checked = true;
}
const obey = () => find("last-opinion").classList.toggle("off", !opinion.checked);
obey();
opinion.addEventListener("change", () => {
  obey();
  try {
    localStorage.setItem(OPINION, opinion.checked ? "on" : "off");
  } catch {
    // It holds as long as the page.
  }
});
