// What the part of the address after `#` asks for.

import { unpacked } from "../../../report/page/shared/rules-link.js";

/** What the address asks for: `{ rules… }`, `{ dice, mode }`, `{ program, mode }`, or nothing. */
export async function read(hash) {
  const query = new URLSearchParams(hash.replace(/^#/, "").replaceAll("+", "%2B"));
  if (query.has("rules")) return unpacked(query.get("rules"));
  const mode = query.get("mode") ?? "exactly";
  if (query.has("anydice")) return { program: query.get("anydice"), mode };
  if (query.has("dice")) return { dice: query.getAll("dice"), mode };
  return null;
}

export function diceHash({ dice, program, mode }) {
  const query = program === undefined
    ? dice.filter(Boolean).map((own) => `dice=${encodeURIComponent(own)}`)
    : [`anydice=${encodeURIComponent(program)}`];
  return `#${query.join("&")}&mode=${encodeURIComponent(mode)}`;
}
