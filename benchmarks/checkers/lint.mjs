// Prints Harper's lints of each text, as [start, end, kind, first suggestion]; reads a JSON list on standard input, and
// finds the package in this folder.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const INSERT_AFTER = 2;
const dist = join(process.cwd(), "node_modules", "harper.js", "dist");
const { LocalLinter, Dialect } = await import(pathToFileURL(join(dist, "index.js")));
const { binaryInlined } = await import(pathToFileURL(join(dist, "binaryInlined.js")));
const linter = new LocalLinter({ binary: binaryInlined, dialect: Dialect.American });

function row(text, lint) {
    const { start, end } = lint.span();
    const [first] = lint.suggestions();
    const from = first?.kind() === INSERT_AFTER ? end : start;
    const [at, last] = [from, end].map((offset) => [...text.slice(0, offset)].length); // characters, not UTF-16 units
    return [at, last, lint.lint_kind(), first ? first.get_replacement_text() : null];
}

const rows = [];
for (const text of JSON.parse(readFileSync(0, "utf-8"))) {
    rows.push((await linter.lint(text, { language: "plaintext" })).map((lint) => row(text, lint)));
}
process.stdout.write(JSON.stringify(rows));
