// Prints the number of Harper's lints of each text: a JSON list on standard input; the package is in this folder.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const spelling = process.argv[2] !== "without-spelling";
const dist = join(process.cwd(), "node_modules", "harper.js", "dist");
const { LocalLinter, Dialect } = await import(pathToFileURL(join(dist, "index.js")));
const { binaryInlined } = await import(pathToFileURL(join(dist, "binaryInlined.js")));
const linter = new LocalLinter({ binary: binaryInlined, dialect: Dialect.American });
const numbers = [];
for (const text of JSON.parse(readFileSync(0, "utf-8"))) {
    const lints = await linter.lint(text, { language: "plaintext" });
    numbers.push(lints.filter((lint) => spelling || lint.lint_kind() !== "Spelling").length);
}
process.stdout.write(JSON.stringify(numbers));
