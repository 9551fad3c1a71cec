// The data that a page holds.

import { byId } from "./elements.js";

/** The data: JSON, or JSON compressed by gzip in base64. @returns {Promise<any>} */
export async function loadData() {
  const held = JSON.parse(byId("data")?.textContent ?? "{}");
  if (typeof held.gzip !== "string") return held;
  const text = atob(held.gzip);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}
