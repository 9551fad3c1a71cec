// The tables of the report, its list of documents, and what is chosen to be shown.

// ---- Tables that Python wrote: a click on a heading sorts them ----

/** Two values in a column; those that are missing come last. @param {number|string|null} a
 * @param {number|string|null} b @param {number} sign */
function compared(a, b, sign) {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return sign * (a < b ? -1 : a > b ? 1 : 0);
}

function makeSortable() {
  for (const table of document.querySelectorAll("table[data-sortable]")) {
    const body = table.querySelector("tbody");
    const headings = [...table.querySelectorAll("thead th")];
    headings.forEach((heading, index) => {
      const button = el("button", { type: "button" }, ...heading.childNodes);
      heading.replaceChildren(button);
      button.addEventListener("click", () => {
        const now = heading.getAttribute("aria-sort");
        const first = heading.getAttribute("data-first") ?? "ascending";
        const wanted = now === null ? first : now === "ascending" ? "descending" : "ascending";
        headings.forEach((one) => one.removeAttribute("aria-sort"));
        heading.setAttribute("aria-sort", wanted);
        /** @param {Element} row */
        const value = (row) => {
          const cell = row.children[index];
          const text = cell?.getAttribute("data-value") ?? "";
          if (text === "") return null;
          return heading.classList.contains("num") ? Number(text) : text.toLocaleLowerCase();
        };
        const rows = [...(body?.children ?? [])];
        rows.sort((a, b) => compared(value(a), value(b), wanted === "ascending" ? 1 : -1));
        body?.append(...rows);
      });
    });
  }
}

// ---- What the list says about each document, and in which order ----

/** @typedef {{key: string, label: Node, help: string, first: number,
 *   value: (doc: Doc) => number|string|null, show: (doc: Doc) => string|Node}} Column
 *   (first: the sign of the order that a first click gives) */

/** @param {State} state @returns {Column[]} */
function columnsOf(state) {
  const without = unticked(state);
  return [
    { key: "units", label: document.createTextNode("units"), help: "units", first: -1,
      value: (doc) => doc.units, show: (doc) => doc.units.toLocaleString("en") },
    ...systemColumns(state, without),
    ...(state.data.documents.some((doc) => doc.agreement !== undefined)
      ? peopleColumns(state, without) : []),
  ];
}

/** A value for each system that is shown. @param {State} state @param {Set<string>} without
 * @returns {Column[]} */
function systemColumns(state, without) {
  const { data } = state;
  const metric = data.metrics[state.metric];
  const systems = [...data.systems.keys()].filter((i) => !without.has(data.systems[i]));
  /** @type {Column[]} */
  const found = systems.map((i) => {
    /** @param {Doc} doc */
    const value = (doc) => doc.values?.[state.metric]?.[i] ?? null;
    return { key: `system ${i}`, label: named(data.systems[i], 18),
      help: `${data.systems[i]}, ${metric.name}`, first: metric.higher ? 1 : -1, value,
      show: (doc) => number(value(doc)) };
  });
  return systems.length > 1 ? [...found, spreadColumn(state, metric.name, systems)] : found;
}

/** How far systems differ: with two systems the difference has a sign. @param {State} state
 * @param {string} metric @param {number[]} systems those that are shown @returns {Column} */
function spreadColumn(state, metric, systems) {
  const two = systems.length === 2;
  const [a, b] = systems.map((i) => state.data.systems[i]);
  /** @param {Doc} doc */
  const signed = (doc) => {
    const values = systems.map((i) => doc.values?.[state.metric]?.[i] ?? null);
    const known = values.filter((one) => one !== null);
    if (known.length < 2) return null;
    return two ? known[1] - known[0] : Math.max(...known) - Math.min(...known);
  };
  const label = !two ? "spread" : a.length + b.length < 24 ? `${b} − ${a}` : "difference";
  /** @param {Doc} doc */
  const size = (doc) => {
    const value = signed(doc);
    return value === null ? null : Math.abs(value);
  };
  return { key: "spread", label: named(label), first: -1, value: size,
    help: two ? `the size of the difference ${b} − ${a}, ${metric}`
      : `difference between the best and the worst system, ${metric}`,
    show: (doc) => number(signed(doc)) };
}

/** How far people agree. @param {State} state @param {Set<string>} without @returns {Column[]} */
function peopleColumns(state, without) {
  const observed = state.data.observed ?? "";
  const all = state.data.rows.some((one) => one.kind === "person" && without.has(one.name))
    ? " (all coders)" : ""; // Python computed it; of contested places the page knows enough
  /** @param {Doc} doc */
  const places = (doc) => contestedIn(state, doc, without);
  return [
    { key: "agreement", label: named(`observed ${observed}`.trim() + all, 36),
      help: `observed agreement: mean ${observed} of each pair of coders`, first: 1,
      value: (doc) => doc.agreement ?? null, show: (doc) => number(doc.agreement) },
    { key: "contested", label: document.createTextNode("contested"),
      help: "places where not all of the people shown mark the same unit", first: -1,
      value: places, show: (doc) => `${places(doc)}` },
  ];
}

/** How many places are contested. @param {State} state @param {Doc} doc @param {Set<string>} without */
function contestedIn(state, doc, without) {
  let found = state.contested.get(doc.name);
  if (found === undefined) {
    found = contestedPlaces(peopleOf(doc, without)).length;
    state.contested.set(doc.name, found);
  }
  return found;
}

/** The documents that the filter leaves, in the order asked for. @param {State} state
 * @param {Column[]} columns */
function listed({ data, filter, order }, columns) {
  const wanted = filter.toLocaleLowerCase();
  const found = data.documents.filter((doc) => !wanted ||
    doc.name.toLocaleLowerCase().includes(wanted) ||
    (doc.group ?? "").toLocaleLowerCase().includes(wanted));
  const column = columns.find((one) => one.key === order.key);
  if (order.key === "name") {
    const by = new Intl.Collator(undefined, { numeric: true });
    found.sort((a, b) => order.sign * by.compare(a.name, b.name));
  } else if (column) {
    const values = new Map(found.map((doc) => [doc, column.value(doc)]));
    found.sort((a, b) => compared(values.get(a) ?? null, values.get(b) ?? null, order.sign));
  }
  return found;
}

// ---- The list of documents in the report: columns, ticks for printing, and one step on ----

/** @param {State} state */
function drawList(state) {
  const { data, filter, list, order } = state;
  const columns = columnsOf(state);
  const held = listed(state, columns);
  const byName = { key: "name", label: document.createTextNode("document"), help: "name", first: 1 };
  const headings = [byName, ...columns].map((one) => sortHeading(order, one, () => sorted(state)));
  const metric = data.metrics[state.metric];
  const caption = data.systems.length
    ? `Documents, ${visible(metric.name + (metric.words ? ` (${metric.words})` : ""))} of each system`
    : "Documents";
  fillList(list, held, caption,
    [el("th", { scope: "col", class: "choose" }, chooseAll(state, held)), ...headings],
    (doc) => listRow(state, doc, columns));
  const note = byId("list-note");
  const all = counted(data.documents.length, "document");
  if (note) note.textContent = filter ? `${held.length.toLocaleString("en")} of ${all}` : all;
  fitList(list);
}

/** @param {State} state */
function sorted(state) {
  drawList(state);
  writeAddress(state);
  const button = state.list.box.querySelector("[aria-sort]:not([aria-sort=none]) button");
  /** @type {HTMLElement|null} */ (button)?.focus();
}

/** @param {State} state @param {Doc} doc @param {Column[]} columns */
function listRow(state, doc, columns) {
  const tick = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox",
    "aria-label": `choose ${visible(doc.name)} for printing` }));
  tick.checked = state.toPrint.has(doc.name);
  tick.addEventListener("change", () => state.toPrint[tick.checked ? "add" : "delete"](doc.name));
  const link = el("a", { href: addressOf({ document: doc.name }) }, named(doc.name, 48));
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openDocument(state, doc.name);
  });
  const row = el("tr", { "aria-current": doc.name === state.document ? "true" : null },
    el("td", { class: "choose" }, tick), el("th", { scope: "row" }, link),
    ...columns.map((one) => el("td", { class: "num" }, one.show(doc))));
  row.addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest("a, .choose")) return;
    if (window.getSelection()?.isCollapsed ?? true) openDocument(state, doc.name); // else numbers were selected
  });
  return row;
}

/** @param {State} state @param {Doc[]} held */
function chooseAll({ list, toPrint }, held) {
  const tick = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox",
    "aria-label": "choose all listed documents for printing", title: "choose for printing" }));
  tick.checked = held.length > 0 && held.every((doc) => toPrint.has(doc.name));
  tick.addEventListener("change", () => {
    for (const doc of held) toPrint[tick.checked ? "add" : "delete"](doc.name);
    for (const one of list.body.querySelectorAll("input")) one.checked = tick.checked;
  });
  return tick;
}

/** Open the next or the previous document of the list. @param {State} state @param {number} step
 * @param {boolean} inside whether the focus is, and stays, in the list */
function moveInList(state, step, inside) {
  const { article, list } = state;
  const now = list.held.findIndex((doc) => doc.name === state.document);
  const next = Math.max(0, Math.min(list.held.length - 1, now + step));
  if (!list.held.length || next === now) return;
  const link = linkAt(list, next);
  const beside = article.getBoundingClientRect().left >= list.box.getBoundingClientRect().right;
  openDocument(state, list.held[next].name, beside || !inside); // or the list would go out of sight
  if (inside) link?.focus({ preventScroll: true });
  if (beside || inside) link?.scrollIntoView({ block: "nearest" });
}

// ---- What the report shows: the filter, the metric, the reference, and the rows that are ticked ----

const MOST_TICKS = 40;

/** @param {State} state */
function drawControls(state) {
  const reference = menu([], "", (value) => {
    state.reference = value;
    state.at = null;
    drawDocument(state);
    writeAddress(state);
  });
  reference.id = "reference";
  const print = el("button", { type: "button", title: "the documents ticked in the list, or the open document" },
    "Print");
  print.addEventListener("click", () => window.print());
  state.controls.replaceChildren(field("Find", filterBox(state)), ...metricChoice(state),
    field("Compare with", reference), print, rowChoice(state, "system", "Systems"),
    rowChoice(state, "person", "People"));
}

/** @param {State} state */
function filterBox(state) {
  const box = /** @type {HTMLInputElement} */ (el("input", { type: "search", id: "filter",
    placeholder: "name or group", autocomplete: "off", spellcheck: "false" }));
  box.value = state.filter;
  box.addEventListener("input", () => {
    state.filter = box.value;
    drawList(state);
    writeSoon(state);
  });
  return box;
}

/** @param {State} state */
function metricChoice(state) {
  const { metrics } = state.data;
  if (metrics.length < 2) return [];
  const box = menu(metrics.map((one, i) => [`${i}`, one.name]), `${state.metric}`, (value) => {
    state.metric = Number(value);
    writeAddress(state);
    drawList(state);
  });
  box.id = "metric";
  return [field("Metric", box)];
}

/** Which rows are shown: a box for each name, and one for all if they are many.
 * @param {State} state @param {string} kind @param {string} label */
function rowChoice(state, kind, label) {
  const names = state.data.rows.filter((one) => one.kind === kind).map((one) => one.name);
  if (!names.length) return el("span", { hidden: true });
  const ticks = names.slice(0, MOST_TICKS).map((name) => rowTick(state, [name], () => {}));
  const all = names.length > 3 ? [rowTick(state, names, (checked) => {
    for (const one of ticks) one.checked = checked;
  })] : [];
  return el("fieldset", { class: "rows", hidden: names.length < 2 && kind === "person" },
    el("legend", { title: "others are gone from the document, the list, the tables and the pictures; " +
      "no value changes" }, `${label} shown:`),
    ...all.map((tick) => el("label", { class: "tick" }, tick, el("em", {}, "all"))),
    ...ticks.map((tick, i) => el("label", { class: "tick", "data-row": names[i] }, tick,
      named(names[i], 24))));
}

/** @param {State} state @param {string[]} about names @param {(checked: boolean) => void} changed */
function rowTick(state, about, changed) {
  const tick = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox" }));
  tick.checked = about.every((one) => !state.hidden.has(one));
  tick.addEventListener("change", () => {
    for (const one of about) state.hidden[tick.checked ? "delete" : "add"](one);
    changed(tick.checked);
    ticksChanged(state);
    writeAddress(state);
  });
  return tick;
}

/** @param {State} state */
function ticksChanged(state) {
  state.contested.clear();
  drawList(state);
  drawDocument(state);
  hideUnticked(state);
}

/** Tables and pictures that Python wrote: a row of theirs says which names it is about.
 * @param {State} state */
function hideUnticked(state) {
  const without = unticked(state);
  const gone = new Set(state.data.rows.flatMap((one, i) => (without.has(one.name) ? [`${i}`] : [])));
  for (const one of document.querySelectorAll("[data-rows]")) {
    const about = (one.getAttribute("data-rows") ?? "").split(" ");
    one.classList.toggle("unticked", about.some((i) => gone.has(i)));
  }
  for (const note of document.querySelectorAll(".hidden-note")) {
    const everything = el("button", { type: "button" }, "Show all");
    everything.addEventListener("click", () => {
      for (const one of without) state.hidden.delete(one);
      drawControls(state);
      ticksChanged(state);
      writeAddress(state);
    });
    const names = [...without].slice(0, 10).flatMap((one, i) => [i ? ", " : "", named(one, 24)]);
    note.replaceChildren("Not shown, because not ticked under Documents: ", ...names,
      without.size > 10 ? " … " : " ", everything);
    /** @type {HTMLElement} */ (note).hidden = without.size === 0;
  }
}
