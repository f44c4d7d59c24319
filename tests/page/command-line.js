// What the command line says, to hold the page against.

import { execFileSync } from "node:child_process";

const program = process.env.ODDSMITH;

/** Standard output of `oddsmith`; null if it refuses the question. */
export function oddsmith(...words) {
  try {
    return execFileSync(program, words, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    if (error.status === 2) return null;
    throw error;
  }
}

/** Runs a command as the page shows it, in a shell. */
export function shell(command, ...further) {
  const [name, ...rest] = command.split(" ");
  if (name !== "oddsmith") throw new Error(`the page shows ${command}`);
  const line = `"$ODDSMITH" ${[...rest, ...further].join(" ")}`;
  try {
    return execFileSync("sh", ["-c", line], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    if (error.status === 2) return null;
    throw error;
  }
}

/** CSV as objects by the names of its columns. */
export function parseCsv(text) {
  const cells = (line) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain);
  const [head, ...lines] = text.trimEnd().split("\n");
  const names = cells(head);
  return lines.map((line) => Object.fromEntries(cells(line).map((cell, at) => [names[at], cell])));
}

/**
 * What the command line says of a configuration, by outcome: `value` as it prints it, `fraction` in lowest terms, and
 * for bands `atLeast`. Null if the rules forbid it.
 */
export function answers(command) {
  const table = shell(command);
  const markdown = shell(command, "--format", "markdown");
  if (markdown === null) return null;
  const found = new Map();
  for (const { outcome, weight, total } of parseCsv(shell(command, "--format", "csv"))) {
    found.set(outcome, { fraction: lowestTerms(BigInt(weight), BigInt(total)) });
  }
  const rows = markdown.split("\n").filter((line) => line.startsWith("|"));
  // People read other names than programs do; the order is the same.
  for (const [at, answer] of [...found.values()].entries()) {
    answer.value = rows[at + 2].split(/(?<!\\)\|/)[2].trim().replaceAll("\\|", "|");
  }
  for (const [outcome, answer] of found) {
    const row = table?.split("\n").find((line) => line.startsWith(`  ${outcome} `));
    answer.atLeast = row?.slice(outcome.length + 2).match(/^\s+(\S+%)\s+(\S+%)/)?.[2];
  }
  return found;
}

/** `3/4`, or null for what is no number. */
export function lowestTerms(weight, total) {
  if (total === 0n) return null;
  let [a, b] = [weight < 0n ? -weight : weight, total];
  while (b !== 0n) [a, b] = [b, a % b];
  return `${weight / a}/${total / a}`;
}
