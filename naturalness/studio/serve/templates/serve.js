// The page for pasting a text: request its explanation and show it. Texts are only inserted as text
// nodes, so that no code in a text can run.
"use strict";

(() => {
  const form = document.getElementById("ask");
  const area = document.getElementById("text");
  const wish = document.getElementById("edits");
  const status = document.getElementById("status");
  const problem = document.getElementById("problem");
  const result = document.getElementById("result");
  let asking = null; // aborts the previous request

  /** Return an element with attributes and children; strings become plain text. */
  function make(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value) made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.filter((child) => child !== "" && child !== null));
    return made;
  }

  function rounded(value, digits = 2) {
    if (value === null) return "–";
    const number = value.toFixed(digits);
    return (Number(number) === 0 ? number.replace("-", "") : number).replace("-", "−");
  }

  function signed(value, digits = 2) {
    const number = rounded(value, digits);
    return value > 0 && Number(number) !== 0 ? `+${number}` : number;
  }

  /** Return the response to a request; throw an error with a readable message. */
  async function ask(text, edits, signal) {
    const answer = await fetch("explain", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ texts: [text], edits, in_words: true }),
      signal,
    });
    // A reply that is not JSON comes from elsewhere, such as a proxy in front of a server that has stopped.
    const told = await answer.json().catch(() => ({}));
    const card = told.explanations?.[0]?.shown;
    if (answer.ok && card) return card;
    throw new Error(told.error ?? `The server does not answer as expected (status ${answer.status}).`);
  }

  function scale(card) {
    const told = card.interval ? `; 95 of 100 scores lie from ${card.interval}` : "";
    const threshold = String(Number(card.threshold.toFixed(3)));
    const label = `${rounded(card.score, 3)} on a scale from 0 to 1; the model’s threshold is ${threshold}${told}`;
    const bar = make("div", { class: "scale", role: "img", "aria-label": label });
    if (card.interval) {
      const band = make("i", {});
      band.style.left = `${100 * card.low}%`;
      band.style.width = `${100 * (card.high - card.low)}%`;
      bar.append(band);
    }
    const line = make("em", {});
    line.style.left = `${100 * card.threshold}%`;
    bar.append(line);
    const dot = make("b", { class: card.good ? "up" : "down" });
    dot.style.left = `${100 * card.score}%`;
    bar.append(dot);
    const ends = ["0", `line: the model’s threshold, ${threshold}`, "1"].map((end) => make("span", {}, end));
    return [bar, make("p", { class: "ends", "aria-hidden": "true" }, ...ends)];
  }

  function heading(card) {
    if (!card.scored) return make("h2", {}, "no score");
    return make(
      "h2", {},
      make("b", { class: card.good ? "up" : "down" }, rounded(card.score, 3)),
      card.verdict,
      card.interval ? make("span", { class: "soft" }, `95 %: ${card.interval}`) : "",
      card.voice === null ? "" : make("span", { class: "soft" }, `voice ${rounded(card.voice)}`),
    );
  }

  function beside(card) {
    return card.beside.map((line) => make("p", { class: "soft" }, line));
  }

  function said(card) {
    const pieces = card.pieces.map((piece) => {
      if (!piece.leads) return piece.text;
      const attributes = {
        class: piece.sure ? "m s" : "m", href: `#f${piece.leads}`, title: piece.message,
      };
      return make("a", attributes, piece.text || "‸");
    });
    return make("p", { class: "said" }, ...pieces);
  }

  function found(card) {
    if (!card.findings.length) return [];
    const items = card.findings.map((one, i) =>
      make(
        "li", { id: `f${i + 1}`, class: one.sure ? "" : "soft" },
        one.place ? make("q", {}, one.place) : "", one.place ? ": " : "", one.message,
        one.could ? " → " : "", one.could ? make("ins", {}, one.could) : "",
      ));
    return [make("h3", {}, "Findings"), make("ol", { class: "found" }, ...items)];
  }

  function change(one) {
    const take = make("button", { type: "button", class: "plain" }, "Take it");
    take.setAttribute("aria-label", `Take it: ${one.words}`);
    take.addEventListener("click", () => judge(one.text));
    const to = make(
      "div", { class: "to" },
      make("span", {}, one.words),
      take,
    );
    const score = make("b", { class: one.gain > 0 ? "up" : "down" }, rounded(one.score, 3));
    const raised = ["to ", score, ` (${signed(one.gain, 3)}): `];
    return make("li", {}, to, make("p", {}, ...raised, one.before, make("ins", {}, one.new), one.behind));
  }

  // The repair and the edits; an edit that is the whole repair is listed once.
  function suggested(card) {
    return [card.repair, ...card.edits.filter((one) => one.text !== card.repair?.text)].filter(Boolean);
  }

  function changes(card) {
    const none = make("p", { class: "soft" }, "No edit is likely enough to be suggested.");
    const all = suggested(card);
    const list = make("ul", { class: "changes" }, ...all.map(change));
    return [make("h3", {}, "Small edits"), all.length ? list : none];
  }

  function bar(row) {
    const cell = make("td", { class: "bar" });
    if (row.width) {
      const drawn = make("i", { class: row.value < 0 ? "down" : "" });
      drawn.style.setProperty("--w", row.width);
      cell.append(drawn);
    }
    return cell;
  }

  function causes(card) {
    if (!card.causes.length) return [];
    const rows = card.causes.flatMap((row) => {
      const line = make(
        "tr", { class: row.why ? "has" : "" },
        make("th", { scope: "row" }, row.title), bar(row), make("td", {}, signed(row.value)),
      );
      return row.why ? [line, make("tr", {}, make("td", { colspan: "3" }, row.why))] : [line];
    });
    const sum = make(
      "tr", { class: "sum" },
      make("th", { scope: "row" }, "together"), make("td", {}), make("td", {}, signed(card.total)),
    );
    const head = make(
      "tr", {}, make("th", { scope: "col" }, "cause"), make("td", {}),
      make("th", { scope: "col" }, card.unit),
    );
    const table = make(
      "table", { class: "causes" }, make("thead", {}, head), make("tbody", {}, ...rows, sum),
    );
    const why = card.why ? `Why: ${card.why}` : "Why";
    return [make("details", { open: true }, make("summary", {}, why), table)];
  }

  function show(card, edits) {
    const unlike = `The score means little, as the text is unlike the training texts: ${
      card.unlike.join("; ")}.`;
    const long = wish.checked && !edits;
    const hope = long ? `Changes are suggested for texts of up to ${wish.dataset.longest} characters.`
      : "Looking for changes …";
    const raising = make("div", { id: "raising" });
    if (wish.checked && card.scored) raising.append(make("p", { class: "soft" }, hope));
    result.replaceChildren(make(
      "article", {}, heading(card), ...(card.scored ? scale(card) : []),
      card.reason && !card.unlike.includes(card.reason) ? make("p", { class: "warn" }, card.reason) : "",
      card.unlike.length ? make("p", { class: "warn" }, unlike) : "",
      ...beside(card), said(card), ...found(card), raising, ...causes(card),
    ));
  }

  function summary(card) {
    if (!card.scored) return `No score: ${card.reason}.`;
    const n = card.findings.length;
    const marked = n ? `; ${n} ${n === 1 ? "place" : "places"} marked` : "";
    return `${rounded(card.score, 3)} of 1, ${card.verdict}${marked}.`;
  }

  async function judge(text) {
    if (asking) asking.abort();
    const mine = asking = new AbortController();
    const short = text.length <= Number(wish.dataset.longest);
    const edits = wish.checked && short ? Number(wish.dataset.most) : 0;
    area.value = text;
    problem.textContent = "";
    status.textContent = "Reading …";
    result.setAttribute("aria-busy", "true");
    try {
      const card = await ask(text, 0, mine.signal);
      show(card, edits);
      result.removeAttribute("aria-busy");
      status.textContent = summary(card);
      result.querySelector("h2").scrollIntoView({ block: "nearest" }); // it may be outside the screen of a phone
      if (edits && card.scored) {
        const changed = await ask(text, edits, mine.signal);
        document.getElementById("raising").replaceChildren(...changes(changed));
        const n = suggested(changed).length;
        const told = n ? `${n} ${n === 1 ? "change is" : "changes are"} suggested` : "";
        status.textContent = [summary(card), told && `${told}.`].filter(Boolean).join(" ");
      }
    } catch (error) {
      if (mine !== asking) return; // another text was requested meanwhile
      status.textContent = "";
      const lost = error instanceof TypeError; // the error that browsers raise if the server is gone
      problem.textContent = lost ? "The server does not answer; does it still run?" : error.message;
      document.getElementById("raising")?.replaceChildren();
    } finally {
      if (mine === asking) result.removeAttribute("aria-busy");
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (area.value.trim()) judge(area.value);
    else area.focus();
  });
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  for (const button of form.querySelectorAll(".examples button")) {
    button.addEventListener("click", () => judge(button.textContent));
  }
})();
