// A link of the workbench, opened here: its rules, which a page without the program can't work out, and the way on.

import { button, commandLine, counted, download, element } from "../shared/elements.js";
import { unpacked } from "../shared/rules-link.js";

/** A file name of its own, whatever a link calls its rules. */
const fileName = (name) => `${name.split(/[\\/]/).at(-1).replace(/\.toml$/i, "").replace(/[^\w-]+/g, "-").replace(/^-+|-+$/g, "") || "linked"}.toml`;

/** What is shown of rules in a link; `explorers` are those of the page by their checks. */
function offer({ rules, name, check, settings }, explorers) {
  const file = fileName(name);
  const lines = rules.trimEnd().split("\n").length;
  const command = commandLine(`oddsmith serve ${file}`);
  const known = check === null ? undefined : explorers.get(`${file.replace(/\.toml$/, "")}:${check}`);
  const take = () => {
    known.restore(Object.entries(settings).map((pair) => pair.map(encodeURIComponent)));
    document.getElementById(known.check.id).scrollIntoView();
  };
  return element("div", { class: "note linked", role: "status" },
    element("p", {}, element("strong", {}, "This link holds rules of its own. "),
      `A report has the odds of its games alone, so those of ${file} (${counted(lines, "line")}) can't be shown here. Save the rules, then let the program open them:`),
    element("p", { class: "actions" }, button(`Save ${file}`, () => download(file, rules, "text/plain")),
      known === undefined ? null : button("Use its settings for the rules of this report", take)),
    command.node);
}

/** Shows in `place` what a link with rules holds; any other link clears it. */
export async function showLinked(place, hash, explorers) {
  const query = new URLSearchParams(hash.replace(/^#/, ""));
  place.replaceChildren();
  if (!query.has("rules")) return;
  try {
    place.replaceChildren(offer(await unpacked(query.get("rules")), explorers));
  } catch {
    place.replaceChildren(element("p", { class: "note", role: "status" }, "The rules in this link can't be read."));
  }
}
