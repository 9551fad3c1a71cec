// What the list says about each document, and in which order.

import { named, number } from "./elements.js";
import { contestedPlaces } from "./places.js";
import { peopleOf, unticked } from "./report_state.js";
import { compared } from "./sortable_tables.js";

/** @import { Doc, State } from "./report_state.js" */
/** @typedef {{key: string, label: Node, help: string, first: number,
 *   value: (doc: Doc) => number|string|null, show: (doc: Doc) => string|Node}} Column
 *   (first: the sign of the order that a first click gives) */

/** @param {State} state @returns {Column[]} */
export function columnsOf(state) {
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
export function listed({ data, filter, order }, columns) {
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
