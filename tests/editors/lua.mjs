// StyLua over some files: `node lua.mjs check|format CONFIG FILE…`.  Its npm package is a library without a program.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const { Config, IndentType, OutputVerification, QuoteStyle, formatCode } = createRequire(`${process.env.STYLUA}/`)(
  "@johnnymorganz/stylua",
);
const [how, settings, ...files] = process.argv.slice(2);
const enums = { indent_type: IndentType, quote_style: QuoteStyle };

function config() {
  const made = Config.new();
  for (const [, name, value] of readFileSync(settings, "utf8").matchAll(/^(\w+) = (.*)$/gm)) {
    const read = JSON.parse(value);
    made[name] = name in enums ? enums[name][read] : read;
  }
  return made;
}

const untidy = files.filter((file) => {
  const text = readFileSync(file, "utf8");
  const tidy = formatCode(text, config(), undefined, OutputVerification.Full);
  if (how === "format") writeFileSync(file, tidy);
  return tidy !== text && how !== "format";
});
for (const file of untidy) console.error(`${file} is not laid out as StyLua does: tests/editors/lua format`);
console.log(`StyLua: ${files.length} files, ${untidy.length} not laid out`);
process.exitCode = untidy.length ? 1 : 0;
