// Gold and decisions as files, and gold read back.
import { decidedBy, decisionOf, emptyWork, fittingWork, goldLevel, goldOf, levelsAt, openPlaces,
  placesByPosition, workOf } from "./adjudication_state.js";

/** @import { AdjudicationData, Choice, Doc, Place, State, Work } from "./adjudication_state.js" */

/** Gold: a line of our JSON Lines for each document. @param {State} state @param {string} exported
 * @returns {Record<string, any>[]} */
export function goldRows(state, exported) {
  return state.data.documents.map((doc, i) => {
    const positions = goldOf(state, doc);
    return {
      ...(i ? {} : state.data.first),
      document: doc.name, coder: state.data.coder, kind: "consensus",
      boundaries: positions, n_units: doc.units,
      ...(doc.ranks ? { ranks: positions.map((p) => goldLevel(state, doc, p)) } : {}),
      ...(doc.text ? { units: doc.text } : {}), ...(doc.group ? { group: doc.group } : {}),
      annotation: annotationOf(state, doc, exported),
    };
  });
}

/** @param {State} state @param {Doc} doc @param {string} exported */
function annotationOf(state, doc, exported) {
  const work = workOf(state, doc);
  const comments = Object.entries(work.comments).map(([p, text]) => ({ after: Number(p), text }));
  return {
    finished: !openPlaces(state, doc).length,
    ...(comments.length ? { comments: comments.sort((a, b) => a.after - b.after) } : {}),
    page: state.data.page, exported, ...(doc.hash ? { units: doc.hash } : {}),
    adjudication: adjudicationOf(state, doc),
  };
}

/** The rule, every decision, and the counts (corpus/annotation.py reads them).
 * @param {State} state @param {Doc} doc */
function adjudicationOf(state, doc) {
  const decisions = doc.places.map((place) => ({ place: place.at,
    decision: decisionOf(state, doc, place), by: decidedBy(state, doc, place) || null }));
  /** @param {string|null} by */
  const decided = (by) => decisions.filter((one) => one.by === by).length;
  const { added, levels } = workOf(state, doc);
  const given = goldOf(state, doc).filter((p) => p in levels).map((p) => ({ after: p, level: levels[p] }));
  return { ...state.data.rule, decisions, added, ...(given.length ? { levels: given } : {}), counts: { places: decisions.length, rule: decided("rule"),
    adjudicator: decided("adjudicator"), open: decided(null),
    dropped: decisions.filter((one) => one.decision === "drop").length, added: added.length } };
}

/** Every decision as a table to read: a row for each place, and for each boundary that nobody marked.
 * @param {State} state @returns {(string|number)[][]} */
export function decisionRows(state) {
  const rows = state.data.documents.flatMap((doc) => {
    const work = workOf(state, doc);
    /** @param {number} p @param {(string|number)[]} middle */
    const row = (p, ...middle) => [doc.name, ...middle, work.comments[p] ?? ""];
    /** @param {Choice|null} choice */
    const level = (choice) => typeof choice === "number" && goldLevel(state, doc, choice) || "";
    const places = doc.places.map((place) => {
      const choice = decisionOf(state, doc, place);
      return row(place.at[0], placeName(place), marksOf(doc, place), choice ?? "", level(choice), decidedBy(state, doc, place));
    });
    return [...places, ...work.added.map((p) => row(p, p, "", p, level(p), "added"))];
  });
  return [["document", "place", "marks", "decision", "level", "by", "comment"], ...rows];
}

/** 4 or 4–5. @param {Place} place */
export function placeName(place) {
  const [first, last] = [place.at[0], place.at[place.at.length - 1]];
  return first === last ? `${first}` : `${first}–${last}`;
}

/** Who marks what: 4: ann, bob; 5: cyd. Levels, if there are any, follow in parentheses.
 * @param {Doc} doc @param {Place} place */
function marksOf(doc, place) {
  return place.at.map((p, i) => {
    const levels = levelsAt(doc, p);
    const who = place.who[i].map((n) => doc.coders[n] + (levels[n] ? ` (${levels[n]})` : ""));
    return `${p}: ${who.join(", ")}`;
  }).join("; ");
}

// ---- gold read back ----

/** The work that an export of this page holds, by document, and what should be said about it.
 * Decisions on places that are not here (codings were added since, or another `within`) are left out.
 * @param {AdjudicationData} data @param {Record<string, any>[]} rows @param {string} called the file
 * @returns {{works: Map<string, Work>, lost: number}} fails with words for people */
export function importedWorks(data, rows, called) {
  /** @type {Map<string, Work>} */
  const works = new Map();
  let lost = 0;
  for (const row of rows) {
    const given = row.annotation?.adjudication;
    if (!Array.isArray(given?.decisions)) {
      throw new Error(`“${called}” is not an export of an adjudication page: expected the gold that ` +
        "Export writes (JSON Lines).");
    }
    const doc = data.documents.find((one) => one.name === row.document);
    if (!doc) continue;
    if (row.n_units !== doc.units || (row.annotation.units ?? null) !== doc.hash) {
      throw new Error(`Document “${doc.name}” has another text here than in “${called}”: nothing ` +
        "was imported.");
    }
    if (works.has(doc.key)) {
      throw new Error(`Document “${doc.name}” is in “${called}” twice: expected it once, so nothing was imported.`);
    }
    const [work, missing] = workOfRow(doc, row);
    works.set(doc.key, work);
    lost += missing;
  }
  if (!works.size) throw new Error(`“${called}” holds none of the documents of this page.`);
  return { works, lost };
}

/** @param {Doc} doc @param {Record<string, any>} row @returns {[Work, number]} */
function workOfRow(doc, row) {
  const work = emptyWork();
  const places = placesByPosition(doc);
  let missing = 0;
  for (const one of row.annotation.adjudication.decisions) {
    const place = places.get(one?.place?.[0]);
    const decision = one?.decision ?? "open";
    if (!place || JSON.stringify(place.at) !== JSON.stringify(one.place)) {
      if (one?.by === "adjudicator") missing += 1;
    } else if (decision !== (place.ruling ?? "open")) work.decisions[place.at[0]] = decision;
  }
  for (const one of row.annotation.comments ?? []) work.comments[one?.after] = one?.text;
  work.added = row.annotation.adjudication.added ?? [];
  for (const one of row.annotation.adjudication.levels ?? []) work.levels[one?.after] = one?.level;
  return [fittingWork(doc, work), missing];
}
