// Prints the numbers of lints of sentences: a JSON list on standard input; the package, found in this folder, as argument.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const name = process.argv[2];
const spelling = process.argv[3] !== "without-spelling";
const texts = JSON.parse(readFileSync(0, "utf-8"));

async function harper() {
    const dist = join(process.cwd(), "node_modules", "harper.js", "dist");
    const { LocalLinter, Dialect } = await import(pathToFileURL(join(dist, "index.js")));
    const { binaryInlined } = await import(pathToFileURL(join(dist, "binaryInlined.js")));
    const linter = new LocalLinter({ binary: binaryInlined, dialect: Dialect.American });
    const numbers = [];
    for (const text of texts) {
        const lints = await linter.lint(text, { language: "plaintext" });
        numbers.push(lints.filter((lint) => spelling || lint.lint_kind() !== "Spelling").length);
    }
    return numbers;
}

function writeGood() {
    const suggest = createRequire(join(process.cwd(), "/"))("write-good");
    return texts.map((text) => suggest(text).length);
}

process.stdout.write(JSON.stringify(name === "harper.js" ? await harper() : writeGood()));
