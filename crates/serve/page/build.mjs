// Bundles the pages: that of the workbench, with the notices of what is bundled, and the script and style of reports.

import { copyFile, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
/** The sources of the page of a report, and of what both pages share. */
const report = join(here, "../../report/page");
/** Where the bundles of the workbench and of reports go. */
const [out = join(here, "../assets"), reportOut = join(here, "../../report/assets")] = process.argv.slice(2);

/** The most bytes that all files of the workbench may weigh together, compressed. */
const LIMIT = 400_000;
/** The most bytes that a script and style may add to each report, as they are. */
const REPORT_LIMIT = 56_000;

const shared = {
  bundle: true,
  minify: true,
  legalComments: "none",
  target: ["chrome123", "firefox120", "safari17.5"],
  logLevel: "warning",
  metafile: true,
};

const script = await build({ ...shared, entryPoints: [join(here, "src/main.js")], outfile: join(out, "page.js"), format: "esm" });
await build({ ...shared, entryPoints: [join(here, "src/page.css")], outfile: join(out, "page.css") });
await copyFile(join(here, "src/index.html"), join(out, "index.html"));
await writeFile(join(out, "NOTICES.txt"), await notices(Object.keys(script.metafile.inputs)));
// A report is one file, so that its script is no module; it shares no names with anything all the same.
const inline = { ...shared, charset: "utf8" };
await build({ ...inline, entryPoints: [join(report, "src/main.js")], outfile: join(reportOut, "page.js"), format: "iife" });
await build({ ...inline, entryPoints: [join(report, "src/page.css")], outfile: join(reportOut, "page.css") });
await weigh("the workbench, compressed", out, ["index.html", "page.js", "page.css"], LIMIT, (file) => gzipSync(file, { level: 9 }));
await weigh("the script and style of a report", reportOut, ["page.js", "page.css"], REPORT_LIMIT, (file) => file);

/** The licences of all packages that are in the bundle. */
async function notices(inputs) {
  const found = inputs.map((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]);
  const names = [...new Set(found.filter(Boolean))].sort();
  const parts = await Promise.all(names.map(async (name) => {
    const folder = join(here, "node_modules", name);
    const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name));
    if (file === undefined) throw new Error(`${name} has no licence file`);
    const text = (await readFile(join(folder, file), "utf8")).replaceAll("\r\n", "\n").trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  }));
  return `The file page.js contains these packages.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`;
}

/** Says what some files weigh together, and fails if that is too much. */
async function weigh(what, folder, names, limit, packed) {
  let total = 0;
  for (const name of names) {
    const { length } = packed(await readFile(join(folder, name)));
    console.log(`${name}: ${length} bytes`);
    total += length;
  }
  console.log(`${what}: ${total} of at most ${limit} bytes`);
  if (total > limit) throw new Error(`${what}: ${total} bytes are more than ${limit}`);
}
