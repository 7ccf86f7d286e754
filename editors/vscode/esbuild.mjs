// Bundles the extension into CommonJS, as VS Code loads it, with the licences of what went in: what each window loads,
// and the client with its large library, which only a window with a server needs.
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { build, context } from "esbuild";

const production = process.argv.includes("--production");
const options = {
  entryPoints: ["src/extension.ts", "src/client.ts"],
  outdir: "out",
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node22",
  external: ["vscode"],
  plugins: [{ name: "client apart", setup: clientApart }],
  supported: { "dynamic-import": false }, // by `require`, which VS Code answers for "vscode"
  minify: production,
  sourcemap: !production,
  metafile: true,
  logLevel: "info",
};

if (process.argv.includes("--watch")) await (await context(options)).watch();
else await writeLicences(Object.keys((await build(options)).metafile.inputs));

async function writeLicences(inputs) {
  const folders = inputs.map((file) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]);
  const texts = [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .sort()
    .map(async (folder) => {
      const names = ["LICENSE", "LICENSE.md", "LICENSE.txt", "License.txt"];
      const name = names.find((name) => existsSync(`${folder}/${name}`));
      if (name === undefined) throw new Error(`${folder} has no licence file`);
      return `${folder.replace(/^.*node_modules\//, "")}\n\n${await readFile(`${folder}/${name}`, "utf8")}`;
    });
  await writeFile("out/licences.txt", (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`));
}

function clientApart({ onResolve }) {
  onResolve({ filter: /^\.\/client\.ts$/ }, ({ kind }) =>
    kind === "dynamic-import" ? { path: "./client.cjs", external: true } : undefined,
  );
}
