// Bundles the page into ../dist: page.js, the layout worker, the style sheet, index.html, and the licences of what went in.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { build, context } from "esbuild";

process.chdir(import.meta.dirname);
const dist = "../dist";
const options = {
  entryPoints: ["src/page.ts", "src/worker.ts", "src/page.css"],
  outdir: dist,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: !process.argv.includes("--watch"),
  metafile: true,
  legalComments: "none",
  logLevel: "warning",
};

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await copyFile("src/index.html", `${dist}/index.html`);
if (process.argv.includes("--watch")) await (await context(options)).watch();
else {
  await writeLicences(Object.keys((await build(options)).metafile.inputs));
  await writeFile(`${dist}/sources.sha256`, `${await digest()}\n`); // last: it says that all is there
}

async function writeLicences(inputs) {
  const folders = inputs.map((file) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]);
  const texts = [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .sort()
    .map(async (folder) => {
      const name = ["LICENSE", "LICENSE.md", "LICENSE.txt"].find((name) => existsSync(`${folder}/${name}`));
      if (name === undefined) throw new Error(`${folder} has no licence file`);
      return `${folder.replace(/^.*node_modules\//, "")}\n\n${await readFile(`${folder}/${name}`, "utf8")}`;
    });
  await writeFile(`${dist}/licences.txt`, (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`));
}

/** What dist was made of, as hatch_build.py asks for it: names and contents of the sources, in order. */
async function digest() {
  const sources = (await readdir("src")).map((name) => `src/${name}`);
  const hash = createHash("sha256");
  for (const name of [...sources, "esbuild.mjs", "package-lock.json"].sort()) {
    hash
      .update(`${name}\0`)
      .update(await readFile(path.join(import.meta.dirname, name)))
      .update("\0");
  }
  return hash.digest("hex");
}
