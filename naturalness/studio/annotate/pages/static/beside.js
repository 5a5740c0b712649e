// The parts of the page around the sentence: progress, the last answer, and the state of the model.

const find = (id) => document.getElementById(id);

export function showProgress({ done, goal, mine }) {
  const bar = find("bar");
  bar.max = goal;
  bar.value = Math.min(done, goal);
  find("done").textContent = `${done} of ${goal} rated${mine}`;
}

export function showLast(last) {
  find("last").classList.toggle("none", last === null);
  find("last-text").textContent = last?.text ?? "";
  find("last-said").textContent = last?.said ?? "";
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
