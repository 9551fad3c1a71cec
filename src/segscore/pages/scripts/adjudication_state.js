// What was decided of each place, everything that follows from it, and files.

// ---- What was decided of each place, and everything that follows from it. Nothing is drawn here ----

// What the data holds (pages/annotate_page.py writes it):
/**
 * @typedef {number|"drop"} Choice   (a position of the place, or none of them)
 * @typedef {{at: number[], who: number[][], most: number, ruling: Choice|null}} Place
 *   (at: its positions; who: who marks each, as numbers of coders; most: the number of the position
 *   that most of them mark; ruling: what the rule decides)
 * @typedef {{name: string, key: string, units: number, hash: string|null, coders: string[],
 *   codings: {masses: number[], ranks?: number[]}[], places: Place[], text?: string[],
 *   speakers?: (string|null)[], starts?: (number|null)[],
 *   group?: string, ranks?: Record<string, number>, least?: number,
 *   said?: [number, number, string|null][]}} Doc
 *   (key: by what its work is kept; ranks: levels of gold by the rule, by position, if gold has any;
 *   least: of boundaries that nobody marked; speakers, starts: of each unit, in seconds; said: position, coder and comment of what people told; null: they were unsure)
 * @typedef {{page: string, title: string, coder: string, blind: boolean,
 *   rule: {within: number, accept: number, reject: number}, first: Record<string, any>,
 *   file: string, documents: Doc[]}} AdjudicationData
 *   (first: what the first line of an export has besides; file: how exports are called)
 */
// What a person does:
/**
 * @typedef {{decisions: Record<string, Choice|"open">, comments: Record<string, string>,
 *   added: number[], levels: Record<string, number>}} Work
 *   (by the first position of the place; comments also by what was added; levels by boundary, where
 *   it is not that of the rule)
 * @typedef {{data: AdjudicationData, documents: Map<string, Doc>, places: Map<string, Map<number, Place>>,
 *   works: Map<string, Work>, history: History, keeping: Keeping, open: Doc,
 *   at: number|null, commenting: Work|null}} State
 *   (places: by document and position; at: after which unit one is; commenting: the work before the
 *   comment that one is writing)
 */

/** @returns {Work} */
function emptyWork() {
  return { decisions: {}, comments: {}, added: [], levels: {} };
}

/** @param {State} state @param {string} key */
const keptOf = (state, key) => state.works.get(key) ?? emptyWork();

/** @param {State} state @param {Doc} doc */
const workOf = (state, doc) => keptOf(state, doc.key);

/** The place to which a position belongs. @param {State} state @param {number|null} p
 * @param {Doc} [doc] */
function placeAt(state, p, doc = state.open) {
  return p === null ? undefined : state.places.get(doc.key)?.get(p);
}

/** The places of a document, by position. @param {Doc} doc */
function placesByPosition(doc) {
  return new Map(doc.places.flatMap((place) => place.at.map((p) => [p, place])));
}

/** What is decided of a place; null: it waits. @param {State} state @param {Doc} doc
 * @param {Place} place @returns {Choice|null} */
function decisionOf(state, doc, place) {
  const own = workOf(state, doc).decisions[place.at[0]];
  return own === "open" ? null : own ?? place.ruling;
}

/** Who decided. @param {State} state @param {Doc} doc @param {Place} place
 * @returns {"rule"|"adjudicator"|""} */
function decidedBy(state, doc, place) {
  const choice = decisionOf(state, doc, place);
  return choice === null ? "" : choice === place.ruling ? "rule" : "adjudicator";
}

/** @param {State} state @param {Doc} doc */
function openPlaces(state, doc) {
  return doc.places.filter((place) => decisionOf(state, doc, place) === null);
}

/** The boundaries of gold as far as they are decided. @param {State} state @param {Doc} doc */
function goldOf(state, doc) {
  const chosen = doc.places.map((place) => decisionOf(state, doc, place));
  const positions = [...chosen.filter((one) => typeof one === "number"), ...workOf(state, doc).added];
  return positions.sort((a, b) => a - b);
}

/** Whether something stands in gold after a unit. @param {State} state @param {Doc} doc
 * @param {number} p */
function isGold(state, doc, p) {
  const place = placeAt(state, p, doc);
  return place ? decisionOf(state, doc, place) === p : workOf(state, doc).added.includes(p);
}

/** The level of a boundary by the rule (the median of who mark it), if gold has levels.
 * @param {Doc} doc @param {number} p */
const ruledLevel = (doc, p) => doc.ranks && (doc.ranks[p] ?? doc.least ?? 1);

/** The level that a boundary of gold gets. @param {State} state @param {Doc} doc @param {number} p */
function goldLevel(state, doc, p) {
  return doc.ranks && (workOf(state, doc).levels[p] ?? ruledLevel(doc, p));
}

/** The levels that coders gave a position, by their numbers. @param {Doc} doc @param {number} p
 * @returns {(number|undefined)[]} */
function levelsAt(doc, p) {
  return doc.codings.map(({ masses, ranks }) => {
    if (!ranks) return undefined;
    let end = 0;
    const index = masses.findIndex((mass) => { end += mass; return end >= p; });
    return end === p ? ranks[index] : undefined;
  });
}

/** Whether two works say the same. @param {Work} one @param {Work} other */
function isSameWork(one, other) {
  return JSON.stringify(one) === JSON.stringify(other); // positions as keys are in order by themselves
}

// ---- changes ----

/** Change the work on some documents, so that it can be undone in one step. @param {State} state
 * @param {[string, Work][]} works by the keys of documents */
function changeWorks(state, works) {
  const parts = works.map(([document, after]) => ({ document, before: keptOf(state, document), after }))
    .filter(({ before, after }) => !isSameWork(before, after));
  if (parts.length) recordChange(state.history, { parts, at: state.at, words: "" });
  for (const { document, after } of parts) putWork(state, document, after);
}

/** Put work in place and keep it, without a step to undo. @param {State} state @param {string} key
 * @param {Work} work */
function putWork(state, key, work) {
  state.works.set(key, work);
  keepWork(state.keeping, key, work);
}

/** Decide a place, or leave it open again. @param {State} state @param {Place} place
 * @param {Choice|"open"} choice */
function decide(state, place, choice) {
  const work = workOf(state, state.open);
  /** @type {Work["decisions"]} */
  const decisions = { ...work.decisions, [place.at[0]]: choice };
  if (choice === (place.ruling ?? "open")) delete decisions[place.at[0]]; // as it was before
  changeWorks(state, [[state.open.key, { ...work, decisions }]]);
}

/** Add a boundary that nobody marked, or take it away. @param {State} state @param {number} p */
function toggleAdded(state, p) {
  const work = workOf(state, state.open);
  const added = work.added.includes(p) ? work.added.filter((one) => one !== p)
    : [...work.added, p].sort((a, b) => a - b);
  changeWorks(state, [[state.open.key, { ...work, added }]]);
}

/** Give a boundary of gold a level. @param {State} state @param {number} p @param {number} level */
function setLevel(state, p, level) {
  const work = workOf(state, state.open);
  /** @type {Work["levels"]} */
  const levels = { ...work.levels, [p]: level };
  if (level === ruledLevel(state.open, p)) delete levels[p]; // as it was before
  changeWorks(state, [[state.open.key, { ...work, levels }]]);
}

/** The comment on a position, or on the place to which it belongs. @param {State} state
 * @param {number} p */
function commentAt(state, p) {
  return workOf(state, state.open).comments[placeAt(state, p)?.at[0] ?? p] ?? "";
}

/** @param {State} state @param {number} p @param {string} text @returns {Work} */
function commented(state, p, text) {
  const work = workOf(state, state.open);
  const key = placeAt(state, p)?.at[0] ?? p;
  /** @type {Work["comments"]} */
  const comments = { ...work.comments, [key]: withoutHalves(text) };
  if (!text.trim()) delete comments[key];
  return { ...work, comments };
}

// ---- work that comes from elsewhere: the storage, or a file ----

/** Work with nothing in it that does not fit the document: other programs may write where we do,
 * and codings may have changed. @param {Doc} doc @param {any} given @returns {Work} */
function fittingWork(doc, given) {
  const places = placesByPosition(doc);
  /** @param {string} p */
  const commentable = (p) => Number(p) > 0 && Number(p) < doc.units;
  const decisions = Object.entries(given?.decisions ?? {}).filter(([p, choice]) => {
    const place = places.get(Number(p));
    return place?.at[0] === Number(p) &&
      (choice === "open" || choice === "drop" || place.at.includes(/** @type {any} */ (choice)));
  });
  const comments = Object.entries(given?.comments ?? {}).filter(([p, text]) =>
    commentable(p) && typeof text === "string");
  const added = Array.isArray(given?.added) ? given.added.filter((/** @type {any} */ p) =>
    Number.isInteger(p) && p > 0 && p < doc.units && !places.has(p)) : [];
  const levels = Object.entries(doc.ranks ? given?.levels ?? {} : {}).filter(([p, level]) =>
    commentable(p) && Number.isInteger(level) && /** @type {any} */ (level) > 0);
  return { decisions: Object.fromEntries(decisions), comments: Object.fromEntries(comments),
    added: [...new Set(added)].sort((a, b) => a - b), levels: Object.fromEntries(levels) };
}

// ---- Gold and decisions as files, and gold read back ----

/** Gold: a line of our JSON Lines for each document. @param {State} state @param {string} exported
 * @returns {Record<string, any>[]} */
function goldRows(state, exported) {
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
function decisionRows(state) {
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
function placeName(place) {
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
function importedWorks(data, rows, called) {
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
