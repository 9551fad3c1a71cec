// How the report behaves. No framework, no network; names and texts are set as text, never as
// markup. The page can be read without this script, except for the documents and the consensus.

import { loadData } from "./data_loading.js";
import { boundaries, byId, counted, el, named, number, svg, visible } from "./elements.js";
import { JUDGED, STATUS, judge, rankAt, ranked, rowOf, typesAt, worst } from "./judging.js";
import { contestedPlaces } from "./places.js";
import { massesOf, positionsOf } from "./positions.js";
import { compared, makeSortable } from "./sortable_tables.js";
import { consensus, countVotes, votesNeeded } from "./votes.js";

/** @import { Coding, Edits, Row, Shown } from "./judging.js" */

// What the data holds (pages/document_data.py writes it):
/**
 * @typedef {{name: string, units: number, codings: Coding[], text?: string[], group?: string,
 *   reference?: string, edits?: Edits[], values?: (number|null)[][],
 *   windows?: ([number, number, (number|null)[]]|null)[], agreement?: number|null}} Doc
 *   (windows: by metric, positions in one, how many, how many are penalised for each system)
 * @typedef {{near: number, systems: string[],
 *   metrics: {name: string, higher: boolean, words: string}[],
 *   rows: {name: string, kind: string}[], seconds: number|null, observed: string|null,
 *   documents: Doc[]}} Data   (observed: the metric of agreement)
 * @typedef {{document: string|null, reference: string|null, hidden: Set<string>, metric: number,
 *   at: number|null, stop: string}} State   (hidden: the rows that are not shown; stop: of STOPS)
 * @typedef {Record<string, number[]>} Stops   (places to stop at, by kind)
 */

const STOPS = ["disagreements", "differ", "all"]; // what `n` and `p` stop at; the first is usual
const EVERYONE = "everyone"; // in place of a reference: all side by side
const SLIDER = "consensus by the slider"; // a reference, too
const USUAL = { atLeast: /** @type {number|string} */ (0.5), within: 0 }; // of the sliders
const FARTHEST = 10; // units that the slider allows
const MOST_CHOICES = 500; // documents in a menu
const ROWS_AT_ONCE = 200; // of the list
const BLOCKS_AT_ONCE = 150; // units and boundaries of a text
const LONGEST_UNIT = 4000; // characters that are shown at once
const MOST_SIGNS = { wide: 36, narrow: 16 }; // in a row of a strip; with more it has lines alone

/** @param {Data} data */
function start(data) {
  /** @type {Map<string, Doc>} */
  const documents = new Map(data.documents.map((doc) => [doc.name, doc]));
  const comparing = data.systems.length > 0;
  /** @type {State} */
  const state = { document: null, reference: null, hidden: usuallyHidden(), metric: 0, at: null,
    stop: STOPS[0] };
  /** @type {Set<string>} */
  const toPrint = new Set();
  const article = /** @type {HTMLElement} */ (byId("document"));
  /** What makes the live consensus. @type {{atLeast: number|string, within: number}} */
  const rule_ = { ...USUAL };
  /** @type {Stops} */
  let stops = {};
  /** @type {(position: number) => HTMLElement|null} */
  let placeOf = () => null;

  /** Rows that are not shown at first: people, where a page compares systems with several. */
  function usuallyHidden() {
    const people = data.rows.filter((one) => comparing && one.kind === "person");
    return new Set(people.length > 1 ? people.map((one) => one.name) : []);
  }

  /** The rows that were unticked: they are gone from lists, tables and pictures, too. Where no
   * person is ticked beside systems, what is said of people is about all of them. */
  function unticked() {
    const people = data.rows.filter((one) => one.kind === "person");
    const all = comparing && people.every((one) => state.hidden.has(one.name));
    return new Set(data.rows.filter((one) => state.hidden.has(one.name) &&
      !(all && one.kind === "person")).map((one) => one.name));
  }

  // ---- the address: a link points at one disagreement ----

  function address() {
    const found = new URLSearchParams();
    if (state.document !== null) found.set("document", state.document);
    if (state.reference !== null) found.set("reference", state.reference);
    const usual = usuallyHidden();
    if (state.hidden.size !== usual.size || [...usual].some((one) => !state.hidden.has(one))) {
      const shown = data.rows.filter((one) => one.kind !== "consensus" && !state.hidden.has(one.name));
      found.set("rows", JSON.stringify(shown.map((one) => one.name)));
    }
    if (state.metric) found.set("metric", data.metrics[state.metric].name);
    if (order.key) found.set("sort", `${order.sign < 0 ? "-" : ""}${order.key}`);
    if (filter) found.set("find", filter);
    if (state.stop !== STOPS[0]) found.set("stop", state.stop);
    if (state.at !== null) found.set("at", `${state.at}`);
    if (rule_.atLeast !== USUAL.atLeast) found.set("share", `${rule_.atLeast}`);
    if (rule_.within !== USUAL.within) found.set("within", `${rule_.within}`);
    return `#${found.toString().replaceAll("+", "%20")}`;
  }

  /** @param {boolean} [anew] whether "back" should lead to where we were */
  function writeAddress(anew = false) {
    if (anew) history.pushState(null, "", address());
    else history.replaceState(null, "", address());
  }

  let written = 0;

  /** Browsers refuse many changes of the address at once. */
  function writeSoon() {
    window.clearTimeout(written);
    written = window.setTimeout(writeAddress, 150);
  }

  /** Take over what the address says; true if it is about a document. */
  function readAddress() {
    if (!location.hash.includes("=")) return false;
    const found = new URLSearchParams(location.hash.slice(1));
    const wanted = found.get("document");
    if (wanted !== null && documents.has(wanted)) state.document = wanted;
    if (found.has("reference")) state.reference = found.get("reference");
    state.hidden = usuallyHidden();
    const rows = found.get("rows");
    if (rows !== null) {
      try {
        const shown = new Set([...JSON.parse(rows)].map(String));
        const names = data.rows.map((one) => one.name);
        state.hidden = new Set(names.filter((one) => !shown.has(one)));
      } catch { /* no list of names: as usual */ }
    }
    const metric = data.metrics.findIndex((one) => one.name === found.get("metric"));
    if (metric >= 0) state.metric = metric;
    const [, down, key] = /^(-?)(.*)$/s.exec(found.get("sort") ?? "") ?? [];
    if (key === "name" || columns().some((one) => one.key === key)) {
      Object.assign(order, { key, sign: down ? -1 : 1 });
    }
    filter = found.get("find") ?? filter;
    state.stop = STOPS.find((one) => one === found.get("stop")) ?? STOPS[0];
    const at = Number(found.get("at"));
    state.at = found.has("at") && Number.isInteger(at) && at > 0 ? at : null;
    const share = found.get("share");
    if (share === "union" || share === "majority") rule_.atLeast = share;
    else if (Number(share) > 0 && Number(share) <= 1) rule_.atLeast = Number(share);
    const within = Number(found.get("within"));
    if (Number.isInteger(within) && within > 0) rule_.within = Math.min(within, FARTHEST);
    return state.document !== null;
  }

  // ---- the list of documents ----

  /** @typedef {{key: string, label: Node, help: string, first: number,
   *   value: (doc: Doc) => number|string|null, show: (doc: Doc) => string|Node}} Column */
  /** @type {{key: string, sign: number}} */
  const order = { key: "", sign: 1 };
  let filter = "";
  /** @type {Map<string, number>} */
  const contestedCounts = new Map();

  /** @param {Doc} doc @param {Set<string>} [without] names */
  function peopleOf(doc, without = new Set()) {
    return doc.codings.filter((one) => one.kind === "person" && !without.has(one.coder))
      .map((one) => positionsOf(one.masses));
  }

  /** How many places are contested. @param {Doc} doc @param {Set<string>} without */
  function contested(doc, without) {
    let found = contestedCounts.get(doc.name);
    if (found === undefined) {
      found = contestedPlaces(peopleOf(doc, without)).length;
      contestedCounts.set(doc.name, found);
    }
    return found;
  }

  /** How far systems differ: with two systems the difference has a sign. @param {string} metric
   * @param {number[]} systems those that are shown @returns {Column} */
  function spreadColumn(metric, systems) {
    const two = systems.length === 2;
    const [a, b] = systems.map((i) => data.systems[i]);
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

  /** @returns {Column[]} */
  function columns() {
    const without = unticked();
    /** @type {Column[]} */
    const found = [
      { key: "units", label: document.createTextNode("units"), help: "units", first: -1,
        value: (doc) => doc.units, show: (doc) => doc.units.toLocaleString("en") },
    ];
    const metric = data.metrics[state.metric];
    const systems = [...data.systems.keys()].filter((i) => !without.has(data.systems[i]));
    for (const i of systems) {
      /** @param {Doc} doc */
      const value = (doc) => doc.values?.[state.metric]?.[i] ?? null;
      found.push({ key: `system ${i}`, label: named(data.systems[i], 18),
        help: `${data.systems[i]}, ${metric.name}`, first: metric.higher ? 1 : -1, value,
        show: (doc) => number(value(doc)) });
    }
    if (systems.length > 1) found.push(spreadColumn(metric.name, systems));
    if (data.documents.some((doc) => doc.agreement !== undefined)) {
      const all = data.rows.some((one) => one.kind === "person" && without.has(one.name))
        ? " (all coders)" : ""; // Python computed it; of contested places the page knows enough
      found.push({ key: "agreement", label: named(`observed ${data.observed ?? ""}`.trim() + all, 36),
        help: `observed agreement: mean ${data.observed ?? ""} of each two coders`, first: 1, value: (doc) => doc.agreement ?? null,
        show: (doc) => number(doc.agreement) });
      /** @param {Doc} doc */
      const places = (doc) => contested(doc, without);
      found.push({ key: "contested", label: document.createTextNode("contested"),
        help: "places where not all of the people shown mark the same unit", first: -1,
        value: places, show: (doc) => `${places(doc)}` });
    }
    return found;
  }

  /** The documents that the filter leaves, in the order asked for. @param {Column[]} shown */
  function listed(shown) {
    const wanted = filter.toLocaleLowerCase();
    const found = data.documents.filter((doc) => !wanted ||
      doc.name.toLocaleLowerCase().includes(wanted) ||
      (doc.group ?? "").toLocaleLowerCase().includes(wanted));
    const column = shown.find((one) => one.key === order.key);
    if (order.key === "name") {
      const by = new Intl.Collator(undefined, { numeric: true });
      found.sort((a, b) => order.sign * by.compare(a.name, b.name));
    } else if (column) {
      const values = new Map(found.map((doc) => [doc, column.value(doc)]));
      found.sort((a, b) => compared(values.get(a) ?? null, values.get(b) ?? null, order.sign));
    }
    return found;
  }

  /** @param {{name: string, words: string}} metric */
  const spelled = (metric) => metric.name + (metric.words ? ` (${metric.words})` : "");

  /** @type {Doc[]} */
  let inList = [];
  let drawn = 0;
  const box = /** @type {HTMLElement} */ (byId("list"));
  const body = el("tbody");

  function drawList() {
    const shown = columns();
    inList = listed(shown);
    drawn = 0;
    body.replaceChildren();
    const head = el("tr", {}, el("th", { scope: "col", class: "choose" }, chooseAll()),
      heading("name", document.createTextNode("document"), "name", 1),
      ...shown.map((one) => heading(one.key, one.label, one.help, one.first)));
    const caption = el("caption", {}, comparing
      ? `Documents, ${visible(spelled(data.metrics[state.metric]))} of each system`
      : "Documents");
    box.replaceChildren(el("table", { class: "documents" }, caption, el("thead", {}, head), body));
    box.scrollTop = 0;
    drawMore(shown);
    const note = byId("list-note");
    if (note) {
      note.textContent = filter
        ? `${inList.length.toLocaleString("en")} of ${counted(data.documents.length, "document")}`
        : counted(data.documents.length, "document");
    }
    fitList();
  }

  /** @param {Column[]} [shown] */
  function drawMore(shown = columns()) {
    const until = Math.min(inList.length, drawn + ROWS_AT_ONCE);
    const rows = [];
    for (; drawn < until; drawn += 1) rows.push(listRow(inList[drawn], shown));
    body.append(...rows);
  }

  /** What the style sheet cannot know. */
  const measures = document.documentElement.style;
  const controls = /** @type {HTMLElement} */ (byId("controls"));
  let besideControls = 0; // their height when the list was fitted

  /** As high as there is room for whole rows. */
  function fitList() {
    besideControls = controls.offsetHeight;
    measures.removeProperty("--list-high");
    const frame = box.offsetHeight - box.clientHeight; // borders, and a scroll bar
    if (box.scrollHeight <= box.clientHeight) return;
    const top = box.getBoundingClientRect().top + box.clientTop - box.scrollTop;
    let high = 0;
    for (const row of body.children) {
      const end = row.getBoundingClientRect().bottom - top;
      if (end > box.clientHeight) break;
      high = end;
    }
    if (high) measures.setProperty("--list-high", `${Math.ceil(high) + frame}px`);
  }
  window.addEventListener("resize", fitList);

  /** @param {Doc} doc @param {Column[]} shown */
  function listRow(doc, shown) {
    const tick = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox",
      "aria-label": `choose ${visible(doc.name)} for printing` }));
    tick.checked = toPrint.has(doc.name);
    tick.addEventListener("change", () => {
      if (tick.checked) toPrint.add(doc.name);
      else toPrint.delete(doc.name);
    });
    const where = new URLSearchParams({ document: doc.name }).toString().replaceAll("+", "%20");
    const link = el("a", { href: `#${where}` }, named(doc.name, 48));
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open(doc.name);
    });
    const row = el("tr", { "aria-current": doc.name === state.document ? "true" : null },
      el("td", { class: "choose" }, tick), el("th", { scope: "row" }, link),
      ...shown.map((one) => el("td", { class: "num" }, one.show(doc))));
    row.addEventListener("click", (event) => {
      if (/** @type {Element} */ (event.target).closest("a, .choose")) return;
      if (window.getSelection()?.isCollapsed ?? true) open(doc.name); // else numbers were selected
    });
    return row;
  }

  function chooseAll() {
    const tick = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox",
      "aria-label": "choose all listed documents for printing", title: "choose for printing" }));
    tick.checked = inList.length > 0 && inList.every((doc) => toPrint.has(doc.name));
    tick.addEventListener("change", () => {
      for (const doc of inList) {
        if (tick.checked) toPrint.add(doc.name);
        else toPrint.delete(doc.name);
      }
      for (const one of body.querySelectorAll("input")) one.checked = tick.checked;
    });
    return tick;
  }

  /** @param {string} key @param {Node} label @param {string} help @param {number} first */
  function heading(key, label, help, first) {
    const sorted = order.key === key ? (order.sign > 0 ? "ascending" : "descending") : "none";
    const button = el("button", { type: "button", title: `sort by ${visible(help)}` }, label);
    button.addEventListener("click", () => {
      order.sign = order.key === key ? -order.sign : first;
      order.key = key;
      drawList();
      writeAddress();
      /** @type {HTMLElement|null} */ (box.querySelector("[aria-sort]:not([aria-sort=none]) button"))
        ?.focus();
    });
    return el("th", { scope: "col", "aria-sort": sorted, class: key === "name" ? "" : "num" }, button);
  }

  box.addEventListener("scroll", () => {
    if (box.scrollTop + box.clientHeight > box.scrollHeight - 600) drawMore();
  });
  box.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move(step, true);
  });

  /** Open the next or the previous document of the list. @param {number} step
   * @param {boolean} inside whether the focus is, and stays, in the list */
  function move(step, inside) {
    const now = inList.findIndex((doc) => doc.name === state.document);
    const next = Math.max(0, Math.min(inList.length - 1, now + step));
    if (!inList.length || next === now) return;
    while (drawn <= next) drawMore();
    const beside = article.getBoundingClientRect().left >= box.getBoundingClientRect().right;
    open(inList[next].name, beside || !inside); // or the list would go out of sight
    const link = body.children[next]?.querySelector("a");
    if (inside) link?.focus({ preventScroll: true });
    if (beside || inside) link?.scrollIntoView({ block: "nearest" });
  }

  // ---- what to show ----

  function drawControls() {
    const search = /** @type {HTMLInputElement} */ (el("input", { type: "search", id: "filter",
      placeholder: "name or group", autocomplete: "off", spellcheck: "false" }));
    search.value = filter;
    search.addEventListener("input", () => {
      filter = search.value;
      drawList();
      writeSoon();
    });
    const parts = [field("Find", search)];
    if (data.metrics.length > 1) {
      const metric = select(data.metrics.map((one, i) => [`${i}`, one.name]), `${state.metric}`,
        (value) => {
          state.metric = Number(value);
          writeAddress();
          drawList();
        });
      metric.id = "metric";
      parts.push(field("Metric", metric));
    }
    const reference = select([], "", (value) => {
      state.reference = value;
      state.at = null;
      drawDocument();
      writeAddress();
    });
    reference.id = "reference";
    parts.push(field("Compare with", reference));
    controls.replaceChildren(...parts, printing(), rowChoice("system", "Systems"),
      rowChoice("person", "People"));
  }
  controls.addEventListener("submit", (event) => event.preventDefault());

  /** @param {string} label @param {HTMLElement} control */
  function field(label, control) {
    return el("label", { class: "field" }, el("span", {}, label), control);
  }

  /** @param {[string, string][]} options @param {string} chosen @param {(value: string) => void} act */
  function select(options, chosen, act) {
    const made = /** @type {HTMLSelectElement} */ (el("select"));
    fill(made, options, chosen);
    made.addEventListener("change", () => act(made.value));
    return made;
  }

  /** @param {HTMLSelectElement} box @param {[string, string][]} options @param {string} chosen */
  function fill(box, options, chosen) {
    box.replaceChildren(...options.map(([value, label]) => {
      const text = visible(label);
      const option = el("option", {}, text.length > 60 ? `${text.slice(0, 59)}…` : text);
      /** @type {HTMLOptionElement} */ (option).value = value;
      return option;
    }));
    box.value = chosen;
  }

  /** Which rows are shown: a box for each name, and one for all if they are many.
   * @param {string} kind @param {string} label */
  function rowChoice(kind, label) {
    const names = data.rows.filter((one) => one.kind === kind).map((one) => one.name);
    const set = el("fieldset", { class: "rows", hidden: names.length < 2 && kind === "person" },
      el("legend", { title: "others are gone from the document, the list, the tables and the pictures; " +
        "no value changes" }, `${label} shown:`));
    /** @type {HTMLInputElement[]} */
    const ticks = [];
    /** @param {Node|string} words @param {string[]} about */
    const tickBox = (words, about) => {
      const tick = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox" }));
      tick.checked = about.every((one) => !state.hidden.has(one));
      tick.addEventListener("change", () => {
        for (const one of about) state.hidden[tick.checked ? "delete" : "add"](one);
        if (about.length > 1) for (const one of ticks) one.checked = tick.checked;
        ticksChanged();
        writeAddress();
      });
      set.append(el("label", { class: "tick", "data-row": about.length === 1 ? about[0] : null },
        tick, words));
      return tick;
    };
    if (names.length > 3) tickBox(el("em", {}, "all"), names);
    for (const name of names.slice(0, 40)) ticks.push(tickBox(named(name, 24), [name]));
    return names.length ? set : el("span", { hidden: true });
  }

  function ticksChanged() {
    contestedCounts.clear();
    drawList();
    drawDocument();
    hideUnticked();
  }

  /** Tables and pictures that Python wrote: a row of theirs says which names it is about. */
  function hideUnticked() {
    const without = unticked();
    const gone = new Set(data.rows.flatMap((one, i) => (without.has(one.name) ? [`${i}`] : [])));
    for (const one of document.querySelectorAll("[data-rows]")) {
      const about = (one.getAttribute("data-rows") ?? "").split(" ");
      one.classList.toggle("unticked", about.some((i) => gone.has(i)));
    }
    for (const note of document.querySelectorAll(".hidden-note")) {
      const everything = el("button", { type: "button" }, "Show all");
      everything.addEventListener("click", () => {
        for (const one of without) state.hidden.delete(one);
        drawControls();
        ticksChanged();
        writeAddress();
      });
      const names = [...without].slice(0, 10).flatMap((one, i) => [i ? ", " : "", named(one, 24)]);
      note.replaceChildren("Not shown, because not ticked under Documents: ", ...names,
        without.size > 10 ? " … " : " ", everything);
      /** @type {HTMLElement} */ (note).hidden = without.size === 0;
    }
  }

  function printing() {
    const button = el("button", { type: "button", title: "the documents ticked in the list, or the open one" },
      "Print");
    button.addEventListener("click", () => window.print());
    return button;
  }

  // ---- one document ----

  /** @param {string} name @param {boolean} [scroll] */
  function open(name, scroll = true) {
    state.document = name;
    state.at = null;
    writeAddress(true);
    markOpen();
    drawDocument();
    if (scroll) toHead();
  }

  /** Show the head of the open document, unless it is well in sight. */
  function toHead() {
    const top = article.getBoundingClientRect().top;
    const covered = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
    if (top < covered - 1 || top > 0.5 * window.innerHeight) article.scrollIntoView({ block: "start" });
  }

  /** Mark the open document in the list. */
  function markOpen() {
    body.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const index = inList.findIndex((doc) => doc.name === state.document);
    body.children[index]?.setAttribute("aria-current", "true");
  }

  /** The reference: the one chosen if the document has it, else its own. @param {Doc} doc @param {Row[]} rows */
  function referenceOf(doc, rows) {
    const candidates = rows.filter((row) => row.coding.kind !== "system");
    if (data.near === 2 && byId("consensus") && peopleOf(doc).length > 1) {
      const masses = massesOf(agreedOn(doc), doc.units);
      candidates.push(rowOf({ coder: SLIDER, kind: "consensus", masses }, -1));
    }
    const named = (/** @type {string|null|undefined} */ name) =>
      candidates.find((row) => row.coding.coder === name) ?? null;
    const chosen = state.reference === EVERYONE && !named(EVERYONE)
      ? null
      : named(state.reference) ?? named(doc.reference);
    return { candidates, chosen };
  }

  function drawDocument() {
    const doc = state.document === null ? undefined : documents.get(state.document);
    if (!doc) {
      article.replaceChildren(el("p", { class: "empty" }, "Choose a document in the list."));
      return;
    }
    const made = documentView(doc, false);
    article.replaceChildren(...made.parts);
    stops = made.stops;
    placeOf = made.placeOf;
    const box = /** @type {HTMLSelectElement|null} */ (byId("reference"));
    if (box) {
      /** @type {[string, string][]} */
      const options = made.candidates.map((row) => [row.coding.coder, called(row)]);
      fill(box, [[EVERYONE, "nobody: everyone side by side"], ...options],
        made.reference?.coding.coder ?? EVERYONE);
    }
    markAbsent(doc);
    if (controls.offsetHeight !== besideControls) fitList(); // what stands above may take more room
    measureHead();
    if (state.at !== null) goTo(state.at, false);
    else tellPlace();
    tellConsensus();
  }

  /** Places to jump to keep clear of the head, which stays in sight. */
  function measureHead() {
    const head = article.querySelector(".head");
    const covers = head && getComputedStyle(head).position === "sticky";
    measures.setProperty("--covered", `${covers ? head.clientHeight : 0}px`);
  }
  window.addEventListener("resize", measureHead);

  /** What to call a reference: a consensus says how it is made. @param {Row} row */
  function called(row) {
    const name = row.coding.coder;
    if (row.index < 0) return `consensus by the sliders: ${shareWords()}, ${distanceWords()}`;
    if (row.coding.kind !== "consensus") return name;
    const [, share, within] = name.split(":");
    return `${name} (${shareWords(share)}, ${distanceWords(Number(within ?? 0))})`;
  }

  /** Mark names that have no row in the open document. @param {Doc} doc */
  function markAbsent(doc) {
    const here = new Set(doc.codings.map((one) => one.coder));
    for (const label of document.querySelectorAll("[data-row]")) {
      const absent = !here.has(label.getAttribute("data-row") ?? "");
      label.classList.toggle("absent", absent);
      if (absent) label.setAttribute("title", "not in the open document");
      else label.removeAttribute("title");
    }
  }

  /** @param {Doc} doc @param {boolean} whole whether all text is drawn at once, for print */
  function documentView(doc, whole) {
    const rows = doc.codings.map(rowOf);
    const { candidates, chosen } = referenceOf(doc, rows);
    /** @type {Shown[]} */
    const shown = rows
      .filter((row) => row !== chosen && row.coding.kind !== "consensus" &&
        !state.hidden.has(row.coding.coder))
      .map((row) => ({ row, judged: chosen ? judge(doc, chosen, row) : null }));
    const marked = new Set([...(chosen?.positions ?? []), ...shown.flatMap((one) => one.row.positions)]);
    const places = [...marked].sort((a, b) => a - b);
    const { element, placeOf: finder } = textView(doc, places, chosen, shown, whole);
    const facts = [counted(doc.units, "unit"), ...(doc.group ? [`group ${visible(doc.group)}`] : []),
      chosen ? `compared with ${visible(called(chosen))}, ${boundaries(chosen.positions.length)}` : "everyone side by side"];
    const title = el("h3", {}, named(doc.name, 120));
    const stopsHere = stopsOf(places, chosen, shown);
    const parts = [
      el("div", { class: "head" },
        el("div", { class: "document-bar" }, title, ...(whole ? [] : [walking(stopsHere, chosen, shown)])),
        strip(doc, chosen, shown)),
      legend(chosen !== null, shown),
      el("p", { class: "small facts-line" }, facts.join(" · ")),
      ...(chosen ? [...valuesTable(doc, shown), ...windowsLine(doc, chosen)] : []),
      element,
    ];
    return { parts, candidates, reference: chosen, stops: stopsHere, placeOf: finder };
  }

  /** Where to stop: where some row disagrees with the reference (or rows with each other, if there
   * is none), where rows differ from each other, or everywhere. A near miss counts once, at the
   * boundary of the reference. @param {number[]} places @param {Row|null} reference
   * @param {Shown[]} shown @returns {Stops} */
  function stopsOf(places, reference, shown) {
    const counted_ = places.filter((p) => !(reference && echo(p, shown)));
    /** @type {Stops} */
    const found = { disagreements: reference ? counted_.filter((p) => !agreed(p, reference, shown))
      : contestedPlaces(shown.map((one) => one.row.positions)) };
    if (reference && shown.length > 1) found.differ = counted_.filter((p) => differ(p, shown));
    found.all = places;
    return found;
  }

  /** Whether rows say different things about a place. @param {number} p @param {Shown[]} shown */
  function differ(p, shown) {
    const said = shown.map(({ judged }) =>
      (judged?.at.get(p) ?? []).map((verdict) => verdict.words).sort().join("; "));
    return new Set(said).size > 1;
  }

  /** @param {number} p @param {Row|null} reference @param {Shown[]} shown */
  function agreed(p, reference, shown) {
    if (!reference) return shown.every((one) => one.row.has.has(p));
    return shown.every((one) => (one.judged?.at.get(p) ?? []).every((v) => v.status === "match"));
  }

  /** Whether nothing stands here but the other end of near misses, which count at the reference's
   * boundary. @param {number} p @param {Shown[]} shown */
  function echo(p, shown) {
    return shown.every(({ row, judged }) => (judged?.at.get(p) ?? []).every((verdict) =>
      verdict.status === "match" || (verdict.status === "near" && row.has.has(p))));
  }

  /** Why window metrics are what they are: their windows, and how many of them cost anything.
   * @param {Doc} doc @param {Row} reference */
  function windowsLine(doc, reference) {
    if (reference.coding.coder !== doc.reference) return [];
    const said = (doc.windows ?? []).flatMap((one, m) => {
      if (!one) return [];
      const [k, all, wrong] = one;
      const each = wrong.flatMap((n, i) => (n === null || state.hidden.has(data.systems[i]) ? [] :
        [`${visible(data.systems[i])} ${n.toLocaleString("en")}`]));
      return [`${visible(data.metrics[m].name)}: k = ${k.toLocaleString("en")}; of ` +
        `${counted(all, "window")}, penalised: ${each.join(", ")}`];
    });
    return said.map((one) => el("p", { class: "small windows" }, one));
  }

  /** What each metric says of the document; nothing where no row is a system. @param {Doc} doc
   * @param {Shown[]} shown */
  function valuesTable(doc, shown) {
    const systems = shown.filter((one) => data.systems.includes(one.row.coding.coder));
    if (!systems.length) return [];
    const head = el("tr", {}, el("th", { scope: "col" }, "system"),
      ...data.metrics.map((one) => el("th", { scope: "col", class: "num", title: one.words || null },
        named(one.name, 18), one.higher ? "\u00a0↑" : "\u00a0↓")));
    const lines = systems.map(({ row }) => {
      const i = data.systems.indexOf(row.coding.coder);
      return el("tr", {}, el("th", { scope: "row" }, named(row.coding.coder, 36)),
        ...data.metrics.map((_, m) => el("td", { class: "num" }, number(doc.values?.[m]?.[i]))));
    });
    return [el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Values" },
      el("table", { class: "values" }, el("thead", {}, head), el("tbody", {}, ...lines)))];
  }

  /** @param {string} status */
  function sign(status) {
    return el("span", { class: `sign ${status}`, "aria-hidden": "true" }, STATUS[status][0]);
  }

  /** Words for those who do not see. @param {string} words */
  const unseen = (words) => el("span", { class: "unseen" }, words);

  /** Which kinds of boundaries there are to tell apart. @param {Shown[]} shown */
  function kindsOf(shown) {
    const typed = shown.some((one) => one.judged?.counts.differs);
    return JUDGED.filter((one) => one !== "differs" || typed);
  }

  /** What signs and columns mean; each sign is drawn as in the strip. @param {boolean} judged
   * @param {Shown[]} shown */
  function legend(judged, shown) {
    const kinds = judged ? ["reference", ...kindsOf(shown)] : ["marks", "without"];
    return el("ul", { class: `legend${judged ? " judged" : ""}`, "aria-label": "Legend" },
      ...kinds.map((one) => el("li", {}, one === "without" ? sign(one) : swatch(one), ` ${STATUS[one][1]}`,
        one === "near" ? ` (${data.near > 2 ? "up to " : ""}${counted(data.near - 1, "unit")} off)` : "")),
      el("li", { class: "all" }, el("b", {}, "all"), " boundaries of the row"));
  }

  // ---- the strip of everyone's boundaries ----

  /** Everyone's boundaries over the units, with their counts: a table that stays in sight.
   * @param {Doc} doc @param {Row|null} reference @param {Shown[]} shown */
  function strip(doc, reference, shown) {
    const kinds = reference ? kindsOf(shown) : [];
    const lines = reference
      ? [stripLine(doc, reference, [["reference", reference.positions]], kinds.map(() => ""))] : [];
    for (const { row, judged } of shown) {
      /** @type {Map<string, number[]>} */
      const found = new Map();
      if (judged) {
        for (const [p, verdicts] of judged.at) {
          const status = worst(verdicts);
          if (status === "near" && !row.has.has(p)) continue; // drawn where the row has it
          const same = found.get(status);
          if (same) same.push(p);
          else found.set(status, [p]);
        }
      } else found.set("marks", row.positions);
      lines.push(stripLine(doc, row, [...found], kinds.map((one) => `${judged?.counts[one] ?? 0}`)));
    }
    const head = el("tr", {},
      el("th", { scope: "col", class: "who" }, unseen("row"), el("span", { "aria-hidden": "true" }, "unit")),
      el("th", { scope: "col" }, unseen("boundaries over the units"), ends(doc)),
      el("th", { scope: "col", class: "num all" }, el("span", { title: "all boundaries of the row" }, "all")),
      ...kinds.map((one) => el("th", { scope: "col", class: "num", title: STATUS[one][1] }, sign(one),
        unseen(STATUS[one][1]))));
    const most = Math.max(0, reference?.positions.length ?? 0, ...shown.map((one) => one.row.positions.length));
    const crowd = most > MOST_SIGNS.wide ? " crowded" : most > MOST_SIGNS.narrow ? " dense" : "";
    const made = el("div", { class: "strip-box", tabindex: "0", role: "region",
      "aria-label": "Everyone’s boundaries" },
    el("table", { class: `strip counts${crowd}${reference ? " judged" : ""}` }, el("thead", {}, head),
      el("tbody", {}, ...lines)));
    leadsTo(made, doc, [...(reference?.positions ?? []), ...shown.flatMap((one) => one.row.positions)]);
    return made;
  }

  /** @param {Doc} doc @param {Row} row @param {[string, number[]][]} kinds @param {string[]} counts */
  function stripLine(doc, row, kinds, counts) {
    const about = kinds[0]?.[0] === "reference" ? "is-reference" : row.coding.kind;
    return el("tr", { class: about },
      el("th", { scope: "row", class: "who", title: visible(row.coding.coder) }, named(row.coding.coder, 22)),
      el("td", { class: "lane-cell" }, laneOf(doc, row, kinds)),
      el("td", { class: "num all" }, row.positions.length.toLocaleString("en")),
      ...counts.map((one) => el("td", { class: "num" }, one)));
  }

  /** The first and the last unit of a strip. @param {Doc} doc */
  function ends(doc) {
    return el("span", { class: "ends", "aria-hidden": "true" }, el("span", {}, "1"),
      el("span", {}, doc.units.toLocaleString("en")));
  }

  /** A click on a strip leads to the nearest of some places. @param {HTMLElement} made @param {Doc} doc
   * @param {number[]} places */
  function leadsTo(made, doc, places) {
    made.addEventListener("click", (event) => {
      const lane = /** @type {Element} */ (event.target).closest(".lane");
      if (!lane) return;
      const frame = lane.getBoundingClientRect();
      const wanted = ((event.clientX - frame.left) / frame.width) * doc.units;
      const nearest = [...places].sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0];
      if (nearest !== undefined) goTo(nearest);
    });
  }

  /** One row of the strip: lines with their signs; ranked boundaries as nested bars.
   * @param {Doc} doc @param {Row} row @param {[string, number[]][]} kinds */
  function laneOf(doc, row, kinds) {
    const ranks = ranked(doc) ? row.coding.ranks ?? [] : [];
    const levels = ranks.reduce((most, one) => Math.min(6, Math.max(most, one)), 0);
    const high = levels ? 8 + 6 * levels : 20;
    /** Where the mark of a boundary begins: the less prominent, the lower. @param {number} p */
    const top = (p) => (levels ? ((Math.min(rankAt(row, p), levels) - 1) * high) / levels : 0);
    const bars = [];
    for (let level = 1; level <= levels; level += 1) {
      const cuts = row.positions.filter((_, i) => ranks[i] <= level);
      const y = ((level - 0.5) * high) / levels;
      const edges = [0, ...cuts, doc.units];
      const path = edges.slice(1).map((end, i) => `M${edges[i]} ${y}H${end}`).join("");
      bars.push(svg("path", { d: path, class: "level" }));
    }
    return lane(`${visible(row.coding.coder)}: ${boundaries(row.positions.length)}`, doc.units, high, kinds,
      top, bars);
  }

  /** Marks over units: a line and a sign for each. Lines are stretched with the picture; signs keep
   * their shape, so they stand at shares of its width. @param {string} label @param {number} units
   * @param {number} high @param {[string, number[]][]} kinds @param {(p: number) => number} top
   * @param {SVGElement[]} [behind] */
  function lane(label, units, high, kinds, top, behind = []) {
    const all = Math.max(units, 1);
    const lines = kinds.map(([status, positions]) => svg("path", { class: `mark ${status}`,
      d: positions.map((p) => (status === "missed" // a line with a hole, where nothing stands
        ? `M${p} ${top(p)}V${0.22 * high}M${p} ${0.78 * high}V${high}`
        : `M${p} ${top(p)}V${high}`)).join("") }));
    const signs = kinds.filter(([, positions]) => positions.length).map(([status, positions]) => {
      const made = svg("text", { class: `sign ${status}`,
        x: positions.map((p) => `${Number(((100 * p) / all).toFixed(3))}%`).join(" "),
        y: positions.map((p) => Math.min((top(p) + high) / 2, high - 7)).join(" ") }); // whole
      made.textContent = STATUS[status][0].repeat(positions.length);
      return made;
    });
    return svg("svg", { class: "lane", height: high, role: "img", "aria-label": label },
      svg("svg", { class: "stretched", viewBox: `0 0 ${all} ${high}`, preserveAspectRatio: "none",
        width: "100%", height: high }, ...behind, ...lines), ...signs);
  }

  /** One mark as the strip draws it. @param {string} status */
  function swatch(status) {
    const made = lane(STATUS[status][1], 2, 20, [[status, [1]]], () => 0);
    made.setAttribute("class", "lane swatch");
    made.setAttribute("aria-hidden", "true");
    return made;
  }

  // ---- the text, unit by unit ----

  /**
   * Units and the boundaries between them; drawn in parts, as they come into view.
   * @param {Doc} doc @param {number[]} places @param {Row|null} reference @param {Shown[]} shown
   * @param {boolean} whole
   */
  function textView(doc, places, reference, shown, whole) {
    /** @type {{from: number, to: number, place: number|null}[]} */
    const blocks = [];
    const marked = new Set(places);
    if (doc.text) {
      for (let unit = 1; unit <= doc.units; unit += 1) {
        blocks.push({ from: unit, to: unit, place: marked.has(unit) ? unit : null });
      }
    } else {
      let from = 1;
      for (const p of [...places, doc.units]) {
        if (p >= from) blocks.push({ from, to: p, place: marked.has(p) ? p : null });
        from = p + 1;
      }
    }
    const element = el("div", { class: `text${doc.text ? "" : " runs"}` });
    /** @type {{element: HTMLElement, from: number, to: number, drawn: boolean}[]} */
    const parts = [];
    const size = whole ? blocks.length || 1 : BLOCKS_AT_ONCE;
    for (let i = 0; i < blocks.length; i += size) {
      const part = { element: el("div", { class: "part" }), from: i,
        to: Math.min(blocks.length, i + size), drawn: false };
      parts.push(part);
      element.append(part.element);
    }
    /** @param {typeof parts[0]} part */
    const draw = (part) => {
      if (part.drawn) return;
      part.drawn = true;
      part.element.classList.remove("waiting");
      for (const block of blocks.slice(part.from, part.to)) {
        part.element.append(unitsOf(doc, block.from, block.to));
        if (block.place !== null) part.element.append(boundary(block.place, reference, shown, whole));
      }
    };
    parts.slice(1).forEach((part) => part.element.classList.add("waiting"));
    if (parts.length) draw(parts[0]);
    if (parts.length > 1) {
      const seen = new IntersectionObserver((entries) => {
        for (const entry of entries) {
          const part = entry.isIntersecting && parts.find((one) => one.element === entry.target);
          if (part) draw(part);
        }
      }, { rootMargin: "600px" });
      parts.forEach((part) => seen.observe(part.element));
    }
    /** @param {number} p */
    const find = (p) => {
      const index = blocks.findIndex((block) => block.place === p);
      const part = parts.find((one) => one.from <= index && index < one.to);
      if (!part) return null;
      draw(part);
      return /** @type {HTMLElement|null} */ (part.element.querySelector(`[data-at="${p}"]`));
    };
    return { element, placeOf: find };
  }

  /** @param {Doc} doc @param {number} from @param {number} to */
  function unitsOf(doc, from, to) {
    if (!doc.text) {
      const words = from === to ? `unit ${from.toLocaleString("en")}`
        : `units ${from.toLocaleString("en")} – ${to.toLocaleString("en")}`;
      return el("p", { class: "run" }, words);
    }
    const text = doc.text[from - 1] ?? "";
    const words = el("span", { class: "words", dir: "auto" }, text.slice(0, LONGEST_UNIT));
    const unit = el("p", { class: "unit" }, el("span", { class: "unit-number" }, `${from}`), words);
    if (text.length > LONGEST_UNIT) {
      const button = el("button", { type: "button" },
        `show all ${text.length.toLocaleString("en")} characters`);
      button.addEventListener("click", () => {
        words.textContent = text;
        button.remove();
      });
      unit.append("… ", button);
    }
    return unit;
  }

  /** What everyone has between two units: a rule for each. @param {number} p @param {Row|null} reference
   * @param {Shown[]} shown @param {boolean} whole */
  function boundary(p, reference, shown, whole) {
    const rules = [];
    if (reference) {
      rules.push(rule(reference, reference.has.has(p) ? "reference" : "nothing",
        reference.has.has(p) ? labelsAt(reference, p) || "boundary" : "", p));
    }
    for (const { row, judged } of shown) {
      const verdicts = judged?.at.get(p);
      if (!judged) {
        const marks = row.has.has(p);
        const types = typesAt(row, p).filter((one) => one !== "").map(visible).join(", ");
        const said = marks ? [types, labelsAt(row, p)].filter(Boolean).join(", ") : "";
        rules.push(rule(row, marks ? "marks" : "without",
          said || STATUS[marks ? "marks" : "without"][1], p, said !== ""));
      } else if (verdicts) {
        const words = verdicts.map((one) => one.words).join("; ");
        rules.push(rule(row, worst(verdicts), [words, labelsAt(row, p)].filter(Boolean).join(", "), p));
      } else rules.push(rule(row, "nothing", "", p));
    }
    const votes = shown.filter((one) => one.row.has.has(p)).length;
    const heading = `after unit ${p.toLocaleString("en")}${when(p)}` +
      (reference ? "" : `: ${votes} of ${shown.length}`);
    const beside = reference ? when(p).trim() : `${votes} of ${shown.length}`;
    const fine = agreed(p, reference, shown) ? "agreed" : "disputed";
    return el("div", { class: `boundary ${fine}`, "data-at": p, id: whole ? null : `at-${p}`,
      tabindex: whole ? null : "-1", role: "group", "aria-label": `Boundary ${heading}` },
    el("span", { class: "position", "aria-hidden": "true" }, beside),
    el("div", { class: reference ? "rules" : "rules short" }, ...rules));
  }

  /** The time of a position, where units have a duration. @param {number} p */
  function when(p) {
    if (!data.seconds) return "";
    const all = p * data.seconds;
    const [h, m, s] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
    const parts = h ? [`${h}`, `${m}`.padStart(2, "0")] : [`${m}`];
    const rest = Number.isInteger(s) ? `${s}` : s.toFixed(2);
    return ` ${[...parts, rest.split(".")[0].padStart(2, "0") + rest.slice(rest.split(".")[0].length)].join(":")}`;
  }

  /** @param {Row} row @param {string} status @param {string} words @param {number} p
   * @param {boolean} [said] whether the words say more than the sign */
  function rule(row, status, words, p, said = false) {
    if (status === "nothing") return el("span", { class: "rule nothing", "aria-hidden": "true" });
    const own = row.has.has(p) ? " own" : "";
    return el("span", { class: `rule ${status}${own}` }, sign(status), " ",
      el("b", {}, named(row.coding.coder, 24)), " ", el("span", { class: said ? "what said" : "what" }, words));
  }

  /** The rank of a boundary, and what the coder calls the segment that begins here.
   * @param {Row} row @param {number} p */
  function labelsAt(row, p) {
    const index = row.place.get(p);
    if (index === undefined) return "";
    const doc = documents.get(state.document ?? "");
    const rank = row.coding.ranks && doc && ranked(doc) ? `rank ${row.coding.ranks[index]}` : "";
    const labels = row.coding.labels?.[index + 1];
    const label = labels?.length ? `“${labels.map(visible).join(", ")}”` : "";
    return [rank, label].filter(Boolean).join(", ");
  }

  // ---- from one disagreement to the next ----

  /** Buttons, and which places they stop at. @param {Stops} found @param {Row|null} reference
   * @param {Shown[]} shown */
  function walking(found, reference, shown) {
    const back = el("button", { type: "button", title: "previous place (p)" }, "‹", el("span", {}, " previous"));
    const on = el("button", { type: "button", title: "next place (n)" }, el("span", {}, "next "), "›");
    back.addEventListener("click", () => walk(-1));
    on.addEventListener("click", () => walk(1));
    const kinds = new Set(shown.map((one) => one.row.coding.kind));
    const rows = kinds.size > 1 ? "rows" : kinds.has("system") ? "systems" : "people";
    /** @param {number} n @param {string} one @param {string} [several] */
    const words = (n, one, several = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : several}`;
    /** @type {Record<string, (n: number) => string>} */
    const labels = {
      disagreements: (n) => words(n, reference ? "disagreement" : "contested place"),
      differ: (n) => `${words(n, "place")} where ${rows} differ`,
      all: (n) => `all ${words(n, "boundary", "boundaries")}`,
    };
    const box = select(STOPS.filter((one) => found[one]).map((one) => [one, labels[one](found[one].length)]),
      stopKind(found), (value) => {
        state.stop = value;
        tellPlace();
        writeAddress();
      });
    box.id = "stops";
    box.setAttribute("aria-label", "Stop at");
    return el("div", { class: "walk" }, box, back, el("span", { id: "walked", role: "status" }), on);
  }

  /** What to stop at, where the document has such places to speak of. @param {Stops} found */
  const stopKind = (found) => (found[state.stop] ? state.stop : STOPS[0]);

  const stopsNow = () => stops[stopKind(stops)] ?? [];

  /** @param {number} step */
  function walk(step) {
    const now = state.at ?? (step > 0 ? 0 : Infinity);
    const next = step > 0 ? stopsNow().find((p) => p > now) : stopsNow().findLast((p) => p < now);
    if (next !== undefined) goTo(next);
  }

  /** @param {number} p @param {boolean} [focus] */
  function goTo(p, focus = true) {
    state.at = p;
    writeAddress();
    article.querySelector(".here")?.classList.remove("here");
    const place = placeOf(p);
    if (place) {
      place.classList.add("here");
      if (focus) place.focus({ preventScroll: true });
      place.scrollIntoView({ block: "center" });
    }
    tellPlace();
  }

  function tellPlace() {
    const said = byId("walked");
    if (!said) return;
    const places = stopsNow();
    const index = state.at === null ? -1 : places.indexOf(state.at);
    said.textContent = index >= 0 ? `${index + 1} of ${places.length}`
      : places.length ? counted(places.length, "place") : "no place";
    const units = documents.get(state.document ?? "")?.units ?? 1;
    for (const one of article.querySelectorAll(".strip .stretched")) {
      one.querySelector(".now")?.remove();
      if (state.at !== null) {
        one.append(svg("path", { class: "now", d: `M${Math.min(state.at, units)} 0V1000` }));
      }
    }
  }

  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (target.closest("input:not([type=checkbox]):not([type=range]), select, textarea")) return;
    if (event.key === "n") walk(1);
    else if (event.key === "p") walk(-1);
    else if (event.key === "j") move(1, false);
    else if (event.key === "k") move(-1, false);
    else return;
    event.preventDefault();
  });

  // ---- consensus ----

  function drawConsensus() {
    const form = byId("consensus");
    if (!form) return;
    /** @type {[string, number|string][]} */
    const presets = [["anyone", "union"], ["half", 0.5], ["more than half", "majority"], ["everyone", 1]];
    const buttons = presets.map(([label, value]) => {
      const button = el("button", { type: "button", "data-rule": `${value}` }, label);
      button.addEventListener("click", () => {
        rule_.atLeast = value;
        ruleChanged();
      });
      return button;
    });
    const share = sliderOf("at-least", 1, 100, (value) => { rule_.atLeast = value / 100; });
    const within = sliderOf("within", 0, FARTHEST, (value) => { rule_.within = value; });
    const save = el("button", { type: "button", id: "download", class: "primary" }, "Download as JSON Lines");
    save.addEventListener("click", download);
    form.replaceChildren(
      el("div", { class: "field" }, el("span", { id: "share-label" }, "Boundaries marked by at least"),
        el("span", { class: "presets", role: "group", "aria-labelledby": "share-label" }, ...buttons)),
      ...share, ...within,
      el("p", { class: "small" }, "Each boundary of a coder counts once, for the best supported place " +
        "within the distance. Two places of the consensus may therefore still be near each other: they " +
        "rest on different boundaries."),
      el("output", { id: "consensus-words", for: "at-least within", role: "status" }),
      ...documentChoice(), el("div", { id: "consensus-strip", class: "strip" }), save);
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    tellConsensus();
  }

  /** A slider below its words, which say its value. @param {string} id @param {number} least
   * @param {number} most @param {(value: number) => void} act */
  function sliderOf(id, least, most, act) {
    const slider = /** @type {HTMLInputElement} */ (el("input", { type: "range", min: least, max: most,
      step: "1", id }));
    slider.addEventListener("input", () => {
      act(Number(slider.value));
      ruleChanged();
    });
    return [el("label", { class: "field" }, el("span", { id: `${id}-words` }), slider)];
  }

  /** Which document the strip shows: the open one. */
  function documentChoice() {
    const coded = data.documents.filter((doc) => peopleOf(doc).length);
    if (coded.length < 2 || coded.length > MOST_CHOICES) return [];
    const box = select(coded.map((doc) => [doc.name, doc.name]), "", (value) => open(value, false));
    box.id = "consensus-document";
    return [field("Document", box)];
  }

  /** The share in words. @param {number|string} [share] */
  function shareWords(share = rule_.atLeast) {
    return { union: "anyone", majority: "more than half" }[`${share}`] ??
      `at least ${Number((100 * Number(share)).toFixed(1))} %`;
  }

  /** @param {number} [within] */
  const distanceWords = (within = rule_.within) =>
    (within ? `within ${counted(within, "unit")}` : "at the same place");

  /** Sliders, their words and the buttons as the rule is. */
  function showRule() {
    const slider = /** @type {HTMLInputElement} */ (byId("at-least"));
    const within = /** @type {HTMLInputElement} */ (byId("within"));
    const share = { union: 1, majority: 51 }[`${rule_.atLeast}`] ?? Math.round(100 * Number(rule_.atLeast));
    slider.value = `${share}`;
    slider.setAttribute("aria-valuetext", shareWords());
    within.value = `${rule_.within}`;
    within.setAttribute("aria-valuetext", distanceWords());
    /** @type {HTMLElement} */ (byId("at-least-words")).textContent = `Share of coders: ${shareWords()}`;
    /** @type {HTMLElement} */ (byId("within-words")).textContent =
      `Allow a distance of ${counted(rule_.within, "unit")}`;
    for (const button of document.querySelectorAll("[data-rule]")) {
      const chosen = button.getAttribute("data-rule") === `${rule_.atLeast}`;
      button.setAttribute("aria-pressed", `${chosen}`);
    }
    const box = /** @type {HTMLSelectElement|null} */ (byId("consensus-document"));
    if (box) box.value = state.document ?? "";
  }

  /** @param {Doc} doc */
  const agreedOn = (doc) => consensus(peopleOf(doc), rule_.atLeast, rule_.within);

  /** The rule has changed: so have the strip, the words and, if it is the reference, the text. */
  function ruleChanged() {
    if (state.reference === SLIDER) drawDocument();
    else {
      tellConsensus();
      nameSlider();
    }
    writeSoon();
  }

  /** The choice "consensus by the sliders" says how these stand. */
  function nameSlider() {
    for (const option of document.querySelectorAll("#reference option")) {
      if (/** @type {HTMLOptionElement} */ (option).value === SLIDER) {
        option.textContent = called(rowOf({ coder: SLIDER, kind: "consensus", masses: [] }, -1));
      }
    }
  }

  let waiting = 0;

  /** The open document at once; all of them when there is time. */
  function tellConsensus() {
    const words = byId("consensus-words");
    if (!words) return;
    showRule();
    const doc = documents.get(state.document ?? "") ?? data.documents[0];
    if (doc) drawConsensusStrip(doc);
    window.clearTimeout(waiting);
    waiting = window.setTimeout(() => {
      const coded = data.documents.filter((one) => peopleOf(one).length);
      const all = coded.reduce((sum, one) => sum + agreedOn(one).length, 0);
      const sizes = new Set(coded.map((one) => peopleOf(one).length));
      const votes = sizes.size === 1 ? [...sizes].map((n) =>
        `, that is ${votesNeeded(rule_.atLeast, n)} of ${n}`)[0] : "";
      words.textContent = `Marked by ${shareWords()}${votes}, ${distanceWords()}` +
        `: ${all.toLocaleString("en")} ${all === 1 ? "boundary" : "boundaries"} in ` +
        `${counted(coded.length, "document")}.`;
    }, data.documents.length > 500 ? 250 : 0);
  }

  /** @param {Doc} doc */
  function drawConsensusStrip(doc) {
    const box = /** @type {HTMLElement} */ (byId("consensus-strip"));
    const people = peopleOf(doc);
    if (!people.length) {
      box.replaceChildren();
      return;
    }
    const { kept, left } = countVotes(people, rule_.atLeast, rule_.within);
    const agreed = [...kept.keys()].sort((a, b) => a - b);
    const needed = votesNeeded(rule_.atLeast, people.length);
    const row = rowOf({ coder: "consensus", kind: "consensus", masses: massesOf(agreed, doc.units) }, -1);
    const high = 40;
    const bars_ = svg("svg", { class: "lane votes-lane", viewBox: `0 0 ${doc.units} ${high}`, height: high,
      role: "img", preserveAspectRatio: "none", "aria-label": "the votes that each place got" });
    /** Bars as high as the share of votes. @param {Map<number, number>} votes @param {string} look */
    const bars = (votes, look) => svg("path", { class: `mark ${look}`,
      d: [...votes].map(([p, n]) => `M${p} ${high}V${high * (1 - n / people.length)}`).join("") });
    bars_.append(bars(left, "without"), bars(kept, "reference"),
      svg("path", { class: "needed", d: `M0 ${high * (1 - needed / people.length)}H${doc.units}` }));
    const inside = el("div", {},
      el("div", { class: "strip-row" }, el("span", { class: "who" }, "votes"), bars_),
      el("div", { class: "strip-row" }, el("span", { class: "who" }, "consensus"),
        laneOf(doc, row, [["reference", agreed]])),
      el("div", { class: "strip-row axis" }, el("span", { class: "who", "aria-hidden": "true" }, "unit"), ends(doc)));
    leadsTo(inside, doc, [...kept.keys(), ...left.keys()]);
    box.replaceChildren(
      el("p", { class: "small" }, "In ", named(doc.name, 60), `: ${boundaries(agreed.length)}. The dashed line is what it takes: ${needed} of ` +
        `${people.length}. A click leads to the place.`), inside);
  }

  /** All documents as our JSON Lines: segscore reads it as it reads `segscore consensus -o`. */
  function download() {
    const lines = data.documents.filter((doc) => peopleOf(doc).length).map((doc) => JSON.stringify({
      document: doc.name, coder: "consensus", kind: "consensus",
      masses: massesOf(agreedOn(doc), doc.units),
      ...(doc.text ? { units: doc.text } : {}), ...(doc.group ? { group: doc.group } : {}),
    }));
    const url = URL.createObjectURL(new Blob([`${lines.join("\n")}\n`], { type: "application/jsonl" }));
    const link = /** @type {HTMLAnchorElement} */ (el("a", { href: url, download: fileName() }));
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  /** consensus-50-percent.jsonl: a name that says how it was made. */
  function fileName() {
    const share = { union: "anyone", majority: "more-than-half" }[`${rule_.atLeast}`] ??
      `${Math.round(100 * Number(rule_.atLeast))}-percent`;
    return `consensus-${share}${rule_.within ? `-within-${rule_.within}` : ""}.jsonl`;
  }

  // ---- print: the documents that were chosen, or the open one, with all their text ----

  /** What was shut before. @type {Element[]} */
  const opened = [];
  window.addEventListener("beforeprint", () => {
    const box = byId("print");
    if (!box) return;
    for (const one of document.querySelectorAll("details:not([open])")) {
      one.setAttribute("open", "");
      opened.push(one);
    }
    const names = toPrint.size ? data.documents.filter((doc) => toPrint.has(doc.name))
      : [documents.get(state.document ?? "")];
    box.replaceChildren(...names.flatMap((doc) =>
      (doc ? [el("article", {}, ...documentView(doc, true).parts)] : [])));
    box.hidden = false;
  });
  window.addEventListener("afterprint", () => {
    for (const one of opened.splice(0)) one.removeAttribute("open");
    const box = byId("print");
    box?.replaceChildren();
    if (box) box.hidden = true;
  });

  // ---- go ----

  /** What the list depends on. */
  const listState = () => JSON.stringify([state.metric, order.key, order.sign, filter,
    [...state.hidden].sort()]);

  /** @param {boolean} [first] whether nothing is drawn yet */
  function show(first = false) {
    const before = listState();
    const asked = readAddress();
    if (state.document === null && data.documents.length) state.document = data.documents[0].name;
    drawControls();
    contestedCounts.clear();
    if (first || listState() !== before) drawList();
    else markOpen();
    drawDocument();
    hideUnticked();
    if (asked) writeAddress(); // with what it does not say, too
    if (asked && state.at === null) toHead();
  }

  if (byId("explorer") && data.documents.length) {
    /** @type {HTMLElement} */ (byId("explorer")).hidden = false;
    show(true);
    window.addEventListener("hashchange", () => {
      if (location.hash.includes("=")) show();
    });
  }
  drawConsensus();
}

makeSortable();
loadData().then((data) => {
  if (byId("explorer")) start(data); // documents that were only added up have no place to show
}).catch((error) => {
  const why = `The documents cannot be shown in this browser (${error}).`;
  byId("documents")?.append(el("p", { class: "missing" }, why));
}).finally(() => document.documentElement.setAttribute("data-ready", ""));
