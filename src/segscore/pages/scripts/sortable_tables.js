// Tables that Python wrote: a click on a heading sorts them.

import { el } from "./elements.js";

/** Two values in a column; those that are missing come last. @param {number|string|null} a
 * @param {number|string|null} b @param {number} sign */
export function compared(a, b, sign) {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return sign * (a < b ? -1 : a > b ? 1 : 0);
}

export function makeSortable() {
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
