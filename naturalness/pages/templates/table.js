"use strict";
// Tables that a reader can sort by a header and filter by a word. Without it they are read as they
// are; nothing is remembered and nothing is sent.
(() => {
  // "−0.12", "1,234", "93 %", "0.91 (0.88 to 0.93)", "< .001" are numbers; "–" is none and goes last.
  const number = (text) => parseFloat(text.trim().replace(/,/g, "").replace(/^−/, "-").replace(/^< /, ""));
  const shown = (cell) => cell.dataset.value ?? (cell.querySelector("summary") ?? cell).textContent;

  const compare = (a, b, sign) => {
    const [x, y] = [number(a), number(b)];
    if (!Number.isNaN(x) && !Number.isNaN(y)) return sign * (x - y);
    if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
    return sign * a.trim().localeCompare(b.trim(), "en");
  };

  const sortBy = (table, place, header) => {
    const up = header.getAttribute("aria-sort") !== "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", up ? "ascending" : "descending");
    const rows = [...table.tBodies[0].rows];
    const keys = new Map(rows.map((row) => [row, shown(row.cells[place])]));
    rows.sort((a, b) => compare(keys.get(a), keys.get(b), up ? 1 : -1));
    table.tBodies[0].append(...rows);
  };

  for (const table of document.querySelectorAll("table[data-sort]")) {
    [...table.tHead.rows[0].cells].forEach((header, place) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      header.append(button);
      button.addEventListener("click", () => sortBy(table, place, header));
    });
  }

  for (const table of document.querySelectorAll("table[data-filter]")) {
    const label = document.createElement("label");
    const field = document.createElement("input");
    const count = document.createElement("span");
    field.type = "search";
    count.setAttribute("role", "status");
    label.append(table.dataset.filter, " ", field);
    const bar = document.createElement("div");
    bar.className = "filter";
    bar.append(label, count);
    (table.closest(".scroll") ?? table).before(bar);
    field.addEventListener("input", () => {
      const wanted = field.value.trim().toLowerCase();
      const rows = [...table.tBodies[0].rows];
      for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
      const left = rows.filter((row) => !row.hidden).length;
      count.textContent = wanted ? `${left} of ${rows.length} rows` : "";
    });
  }
})();
