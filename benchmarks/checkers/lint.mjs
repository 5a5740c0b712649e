// Numbers of lints of sentences: a JSON list on standard input, the package as an argument, both found in this folder.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const name = process.argv[2];
const texts = JSON.parse(readFileSync(0, "utf-8"));

async function harper() {
    const dist = join(process.cwd(), "node_modules", "harper.js", "dist");
    const { LocalLinter, Dialect } = await import(pathToFileURL(join(dist, "index.js")));
    const { binaryInlined } = await import(pathToFileURL(join(dist, "binaryInlined.js")));
    const linter = new LocalLinter({ binary: binaryInlined, dialect: Dialect.American });
    const numbers = [];
    for (const text of texts) numbers.push((await linter.lint(text, { language: "plaintext" })).length);
    return numbers;
}

function writeGood() {
    const suggest = createRequire(join(process.cwd(), "/"))("write-good");
    return texts.map((text) => suggest(text).length);
}

process.stdout.write(JSON.stringify(name === "harper.js" ? await harper() : writeGood()));
