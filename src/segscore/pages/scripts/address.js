// The address of the report: a link points at one disagreement.

import { columnsOf } from "./document_columns.js";
import { FARTHEST, USUAL, usuallyHidden } from "./report_state.js";
import { STOPS } from "./stops.js";

/** @import { State } from "./report_state.js" */

/** An address of this page. @param {Record<string, string>} values */
export function addressOf(values) {
  return `#${new URLSearchParams(values).toString().replaceAll("+", "%20")}`;
}

/** What is not as it usually is. @param {State} state */
function address(state) {
  const { data, hidden, order, rule } = state;
  /** @type {Record<string, string>} */
  const found = {};
  if (state.document !== null) found.document = state.document;
  if (state.reference !== null) found.reference = state.reference;
  const usual = usuallyHidden(data);
  if (hidden.size !== usual.size || [...usual].some((one) => !hidden.has(one))) {
    const shown = data.rows.filter((one) => one.kind !== "consensus" && !hidden.has(one.name));
    found.rows = JSON.stringify(shown.map((one) => one.name));
  }
  if (state.metric) found.metric = data.metrics[state.metric].name;
  if (order.key) found.sort = `${order.sign < 0 ? "-" : ""}${order.key}`;
  if (state.filter) found.find = state.filter;
  if (state.stop !== STOPS[0]) found.stop = state.stop;
  if (state.at !== null) found.at = `${state.at}`;
  if (rule.atLeast !== USUAL.atLeast) found.share = `${rule.atLeast}`;
  if (rule.within !== USUAL.within) found.within = `${rule.within}`;
  return addressOf(found);
}

/** @param {State} state @param {boolean} [anew] whether "back" should lead to where we were */
export function writeAddress(state, anew = false) {
  if (anew) history.pushState(null, "", address(state));
  else history.replaceState(null, "", address(state));
}

/** Browsers refuse many changes of the address at once. @param {State} state */
export function writeSoon(state) {
  window.clearTimeout(state.timers.address);
  state.timers.address = window.setTimeout(() => writeAddress(state), 150);
}

/** Take over what the address says; true if it is about a document. @param {State} state */
export function readAddress(state) {
  if (!location.hash.includes("=")) return false;
  const found = new URLSearchParams(location.hash.slice(1));
  const wanted = found.get("document");
  if (wanted !== null && state.documents.has(wanted)) state.document = wanted;
  if (found.has("reference")) state.reference = found.get("reference");
  state.hidden = hiddenBy(state, found.get("rows"));
  readOrder(state, found);
  state.stop = STOPS.find((one) => one === found.get("stop")) ?? STOPS[0];
  const at = Number(found.get("at"));
  state.at = found.has("at") && Number.isInteger(at) && at > 0 ? at : null;
  readRule(state, found);
  return state.document !== null;
}

/** @param {State} state @param {string|null} rows names as JSON */
function hiddenBy({ data }, rows) {
  if (rows !== null) {
    try {
      const shown = new Set([...JSON.parse(rows)].map(String));
      return new Set(data.rows.map((one) => one.name).filter((one) => !shown.has(one)));
    } catch { /* no list of names: as usual */ }
  }
  return usuallyHidden(data);
}

/** What the list shows, and how it is sorted. @param {State} state @param {URLSearchParams} found */
function readOrder(state, found) {
  const metric = state.data.metrics.findIndex((one) => one.name === found.get("metric"));
  if (metric >= 0) state.metric = metric;
  const [, down, key] = /^(-?)(.*)$/s.exec(found.get("sort") ?? "") ?? [];
  if (key === "name" || columnsOf(state).some((one) => one.key === key)) {
    Object.assign(state.order, { key, sign: down ? -1 : 1 });
  }
  state.filter = found.get("find") ?? state.filter;
}

/** @param {State} state @param {URLSearchParams} found */
function readRule({ rule }, found) {
  const share = found.get("share");
  if (share === "union" || share === "majority") rule.atLeast = share;
  else if (Number(share) > 0 && Number(share) <= 1) rule.atLeast = Number(share);
  const within = Number(found.get("within"));
  if (Number.isInteger(within) && within > 0) rule.within = Math.min(within, FARTHEST);
}
