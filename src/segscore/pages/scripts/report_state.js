// What the report knows and shows.

import { byId } from "./elements.js";
import { newList } from "./document_list.js";
import { positionsOf } from "./positions.js";
import { STOPS } from "./stops.js";
import { consensus } from "./votes.js";

/** @import { Coding, Edits } from "./judging.js" */
/** @import { DocumentList, Order } from "./document_list.js" */
/** @import { Stops } from "./stops.js" */

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
 */

/**
 * All that changes while one reads, in one object that each function is given.
 * @typedef {object} State
 * @property {Data} data what was written into the page
 * @property {Map<string, Doc>} documents by name
 * @property {string|null} document the open one
 * @property {string|null} reference the one that was asked for; a document may not have it
 * @property {Set<string>} hidden the rows that are not shown
 * @property {number} metric which one the list shows
 * @property {number|null} at the place of the open document where one is
 * @property {string} stop what `n` and `p` stop at: of STOPS
 * @property {Order} order of the list
 * @property {string} filter of the list
 * @property {{atLeast: number|string, within: number}} rule what makes the live consensus
 * @property {Set<string>} toPrint names of documents
 * @property {Map<string, number>} contested places by document, as long as the rows stay
 * @property {DocumentList<Doc>} list
 * @property {HTMLElement} article where the open document stands
 * @property {HTMLElement} controls what to show
 * @property {Stops} stops of the open document
 * @property {(position: number) => HTMLElement|null} placeOf where its places stand
 * @property {{address: number, consensus: number}} timers of what is done when there is time
 */

export const EVERYONE = "everyone"; // in place of a reference: all side by side
export const SLIDER = "consensus by the slider"; // a reference, too
export const USUAL = { atLeast: /** @type {number|string} */ (0.5), within: 0 }; // of the sliders
export const FARTHEST = 10; // units that the slider allows

/** @param {Data} data @returns {State} */
export function newState(data) {
  const [article, box, controls] = ["document", "list", "controls"].map((id) =>
    /** @type {HTMLElement} */ (byId(id)));
  return {
    data, documents: new Map(data.documents.map((doc) => [doc.name, doc])),
    document: null, reference: null, hidden: usuallyHidden(data), metric: 0, at: null, stop: STOPS[0],
    order: { key: "", sign: 1 }, filter: "", rule: { ...USUAL }, toPrint: new Set(),
    contested: new Map(), list: newList(box, controls), article, controls, stops: {},
    placeOf: () => null, timers: { address: 0, consensus: 0 },
  };
}

/** Rows that are not shown at first: people, where a page compares systems with several.
 * @param {Data} data */
export function usuallyHidden(data) {
  const people = data.rows.filter((one) => data.systems.length > 0 && one.kind === "person");
  return new Set(people.length > 1 ? people.map((one) => one.name) : []);
}

/** The rows that were unticked: they are gone from lists, tables and pictures, too. Where no
 * person is ticked beside systems, what is said of people is about all of them.
 * @param {State} state */
export function unticked({ data, hidden }) {
  const people = data.rows.filter((one) => one.kind === "person");
  const all = data.systems.length > 0 && people.every((one) => hidden.has(one.name));
  return new Set(data.rows.filter((one) => hidden.has(one.name) &&
    !(all && one.kind === "person")).map((one) => one.name));
}

/** The open document, if any. @param {State} state */
export function openOne(state) {
  return state.documents.get(state.document ?? "");
}

/** Positions of each person. @param {Doc} doc @param {Set<string>} [without] names */
export function peopleOf(doc, without = new Set()) {
  return doc.codings.filter((one) => one.kind === "person" && !without.has(one.coder))
    .map((one) => positionsOf(one.masses));
}

/** What the sliders make of a document. @param {State} state @param {Doc} doc */
export function agreedOn({ rule }, doc) {
  return consensus(peopleOf(doc), rule.atLeast, rule.within);
}
