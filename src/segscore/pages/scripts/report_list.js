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
    const body = /** @type {Element} */ (table.querySelector("tbody"));
    const headings = [...table.querySelectorAll("thead th")];
    headings.forEach((heading, index) => heading.replaceChildren(button([...heading.childNodes], () => {
      const now = heading.getAttribute("aria-sort");
      const first = heading.getAttribute("data-first") ?? "ascending";
      const wanted = now === null ? first : now === "ascending" ? "descending" : "ascending";
      headings.forEach((one) => one.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", wanted);
      /** @param {Element} row */
      const value = (row) => {
        const text = row.children[index]?.getAttribute("data-value") ?? "";
        if (text === "") return null;
        return heading.classList.contains("num") ? Number(text) : text.toLocaleLowerCase();
      };
      body.append(...[...body.children].sort((a, b) => compared(value(a), value(b), wanted === "ascending" ? 1 : -1)));
    })));
  }
}

// ---- What the list says about each document, and in which order ----

/** @typedef {{key: string, label: Node|string, help: string, first: number,
 *   value: (doc: Doc) => number|null, show: (doc: Doc) => string}} Column
 *   (first: the sign of the order that a first click gives) */

/** @param {State} state @returns {Column[]} */
function columnsOf(state) {
  return [
    { key: "units", label: "units", help: "units", first: -1,
      value: (doc) => doc.units, show: (doc) => doc.units.toLocaleString("en") },
    ...systemColumns(state),
    ...(state.data.observed === null ? [] : peopleColumns(state, state.data.observed)),
  ];
}

/** A value for each system that is shown. @param {State} state @returns {Column[]} */
function systemColumns(state) {
  const { data } = state;
  const metric = data.metrics[state.metric];
  const systems = [...data.systems.keys()].filter((i) => !state.hidden.has(data.systems[i]));
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
    const known = systems.map((i) => doc.values?.[state.metric]?.[i] ?? null).filter((one) => one !== null);
    if (known.length < 2) return null;
    return two ? known[1] - known[0] : Math.max(...known) - Math.min(...known);
  };
  const label = !two ? "spread" : a.length + b.length < 24 ? `${b} − ${a}` : "difference";
  return { key: "spread", label: named(label), first: -1, show: (doc) => number(signed(doc)),
    value: (doc) => { const value = signed(doc); return value && Math.abs(value); },
    help: two ? `the size of the difference ${b} − ${a}, ${metric}`
      : `difference between the best and the worst system, ${metric}` };
}

/** How far people agree, as Python computed it: of all of them. @param {State} state
 * @param {string} observed the metric @returns {Column[]} */
function peopleColumns(state, observed) {
  const without = unticked(state);
  const all = state.data.rows.some((one) => one.kind === "person" && without.has(one.name)) ? " (all coders)" : "";
  return [
    { key: "agreement", label: named(`observed ${observed}${all}`, 36),
      help: `observed agreement: mean ${observed} of each pair of coders`, first: 1,
      value: (doc) => doc.agreement ?? null, show: (doc) => number(doc.agreement) },
    { key: "contested", label: `contested${all}`, help: "places where not all coders mark the same unit", first: -1,
      value: (doc) => doc.contested?.length ?? 0, show: (doc) => `${doc.contested?.length ?? 0}` },
  ];
}

/** The documents that the filter leaves, in the order asked for. @param {State} state
 * @param {Column[]} columns */
function listed({ data, filter, order }, columns) {
  const wanted = filter.toLocaleLowerCase();
  const found = data.documents.filter((doc) =>
    [doc.name, doc.group ?? ""].some((one) => one.toLocaleLowerCase().includes(wanted)));
  const column = columns.find((one) => one.key === order.key);
  const by = new Intl.Collator(undefined, { numeric: true });
  if (column) found.sort((a, b) => compared(column.value(a), column.value(b), order.sign));
  else if (order.key) found.sort((a, b) => order.sign * by.compare(a.name, b.name));
  return found;
}

// ---- The list of documents in the report: columns, ticks for printing, and one step on ----

/** @param {State} state */
function drawList(state) {
  const { data, filter, list, order } = state;
  const columns = columnsOf(state);
  const held = listed(state, columns);
  const headings = [{ key: "name", label: "document", help: "name", first: 1 }, ...columns].map((one) =>
    sortHeading(order, one, () => sorted(state)));
  const metric = data.metrics[state.metric];
  const caption = data.systems.length
    ? `Documents, ${visible(metric.name + (metric.words ? ` (${metric.words})` : ""))} of each system` : "Documents";
  fillList(list, held, caption,
    [el("th", { scope: "col", class: "choose" }, chooseAll(state, held)), ...headings],
    (doc) => listRow(state, doc, columns));
  const all = counted(data.documents.length, "document");
  need("list-note").textContent = filter ? `${held.length.toLocaleString("en")} of ${all}` : all;
}

/** @param {State} state */
function sorted(state) {
  drawList(state);
  /** @type {HTMLElement|null} */ (state.list.box.querySelector("[aria-sort]:not([aria-sort=none]) button"))?.focus();
}

/** @param {State} state @param {Doc} doc @param {Column[]} columns */
function listRow(state, doc, columns) {
  const tick = tickBox(state.toPrint.has(doc.name), (on) => state.toPrint[on ? "add" : "delete"](doc.name),
    { "aria-label": `choose ${visible(doc.name)} for printing` });
  const link = el("a", { href: addressOf({ document: doc.name }), click: (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openDocument(state, doc.name);
  } }, named(doc.name, 48));
  return el("tr", { "aria-current": doc.name === state.document ? "true" : null, click: (event) => {
    if (event.target.closest("a, .choose")) return;
    if (window.getSelection()?.isCollapsed ?? true) openDocument(state, doc.name); // else numbers were selected
  } }, el("td", { class: "choose" }, tick), el("th", { scope: "row" }, link),
  ...columns.map((one) => el("td", { class: "num" }, one.show(doc))));
}

/** @param {boolean} checked @param {(checked: boolean) => void} act
 * @param {Record<string, string>} [attributes] */
function tickBox(checked, act, attributes = {}) {
  const tick = el("input", { type: "checkbox", ...attributes, change: () => act(tick.checked) });
  tick.checked = checked;
  return tick;
}

/** @param {State} state @param {Doc[]} held */
function chooseAll({ list, toPrint }, held) {
  return tickBox(held.length > 0 && held.every((doc) => toPrint.has(doc.name)), (on) => {
    for (const doc of held) toPrint[on ? "add" : "delete"](doc.name);
    for (const one of list.body.querySelectorAll("input")) one.checked = on;
  }, { "aria-label": "choose all listed documents for printing", title: "choose for printing" });
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
  const { metrics } = state.data;
  const filter = el("input", { type: "search", id: "filter", placeholder: "name or group", autocomplete: "off",
    spellcheck: "false", input: () => {
      state.filter = filter.value;
      drawList(state);
    } });
  filter.value = state.filter;
  const metric = menu("metric", metrics.map((one, i) => [`${i}`, one.name]), `${state.metric}`, (value) => {
    state.metric = Number(value);
    writeAddress(state);
    drawList(state);
  });
  const reference = menu("reference", [], "", (value) => {
    Object.assign(state, { reference: value, at: null });
    drawDocument(state);
    writeAddress(state);
  });
  state.controls.replaceChildren(field("Find", filter), ...(metrics.length > 1 ? [field("Metric", metric)] : []),
    field("Compare with", reference),
    button("Print", () => window.print(), { title: "the documents ticked in the list, or the open document" }),
    ...rowChoice(state, "system", "Systems"), ...rowChoice(state, "person", "People"));
}

/** Which rows are shown: a box for each name, and one for all if they are many.
 * @param {State} state @param {string} kind @param {string} label */
function rowChoice(state, kind, label) {
  const names = state.data.rows.filter((one) => one.kind === kind).map((one) => one.name);
  if (!names.length || (names.length < 2 && kind === "person")) return [];
  const ticks = names.slice(0, MOST_TICKS).map((name) => rowTick(state, [name], () => {}));
  const all = rowTick(state, names, (checked) => {
    for (const one of ticks) one.checked = checked;
  });
  return [el("fieldset", { class: "rows" },
    el("legend", { title: "others are gone from the document, the list, the tables and the pictures; no value changes" },
      `${label} shown:`),
    names.length > 3 ? el("label", { class: "tick" }, all, el("em", {}, "all")) : null,
    ...ticks.map((tick, i) => el("label", { class: "tick", "data-row": names[i] }, tick, named(names[i], 24))))];
}

/** @param {State} state @param {string[]} about names @param {(checked: boolean) => void} changed */
function rowTick(state, about, changed) {
  return tickBox(about.every((one) => !state.hidden.has(one)), (on) => {
    for (const one of about) state.hidden[on ? "delete" : "add"](one);
    changed(on);
    ticksChanged(state);
  });
}

/** @param {State} state */
function ticksChanged(state) {
  drawList(state);
  drawDocument(state);
  hideUnticked(state);
  writeAddress(state);
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
  const names = () => [...without].slice(0, 10).flatMap((one, i) => [i ? ", " : "", named(one, 24)]);
  for (const note of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".hidden-note"))) {
    note.replaceChildren("Not shown, because not ticked under Documents: ", ...names(), without.size > 10 ? " … " : " ",
      button("Show all", () => {
        for (const one of without) state.hidden.delete(one);
        drawControls(state);
        ticksChanged(state);
      }));
    note.hidden = without.size === 0;
  }
}
