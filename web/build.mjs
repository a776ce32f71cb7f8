// Bundles the board with esbuild: node build.mjs OUT
// Names in assets/ contain a hash of the content, so that browsers may cache them for ever; index.html names the
// entry script, its style sheet and the chunks that the entry needs.
import * as esbuild from "esbuild";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile, mkdir, rm } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { minify } from "terser";

const out = process.argv[2] ?? "dist";

/** The output built from a source, and the chunks that it needs before it runs. */
function find(metafile, source) {
	const [path] = Object.entries(metafile.outputs).find(([, o]) => o.entryPoint === source);
	const needed = new Set();
	const visit = (name) => {
		for (const { path: next, kind } of metafile.outputs[name].imports) {
			if (kind === "import-statement" && !needed.has(next)) {
				needed.add(next);
				visit(next);
			}
		}
	};
	visit(path);
	return { path, needed: [...needed] };
}

const hash = (contents) => createHash("sha256").update(contents).digest("hex").slice(0, 8);

/** Texts are separate files; the program gets their names here and fetches them. */
async function textFiles() {
	const found = [];
	for (const file of (await readdir("locales")).filter((name) => name.endsWith(".json"))) {
		const contents = Buffer.from(JSON.stringify(JSON.parse(await readFile(join("locales", file), "utf8"))));
		found.push([
			basename(file, ".json"),
			join("assets", `${basename(file, ".json")}-${hash(contents)}.json`),
			contents,
		]);
	}
	return found;
}

/**
 * Parts that are loaded later need what was loaded at the start. Declaring this to esbuild puts all of that into one
 * file; otherwise every set of parts that share something would get its own file. Paths are relative to this folder;
 * otherwise the hashes in assets/ would depend on where the folder is.
 */
const later = {
	name: "later",
	setup: (build) => {
		build.onResolve({ filter: /^\.\.?\// }, async ({ kind, path, resolveDir, pluginData }) => {
			if (kind !== "dynamic-import" || pluginData || path.endsWith(".json")) return null;
			const found = await build.resolve(path, { kind, resolveDir, pluginData: true });
			return { path: relative(process.cwd(), found.path), namespace: "later" };
		});
		build.onLoad({ filter: /.*/, namespace: "later" }, ({ path }) => ({
			contents: `import "./src/main.tsx"; export { default } from ${JSON.stringify(`./${path}`)}`,
			resolveDir: process.cwd(),
		}));
	},
};

/**
 * The board needs only the lexer of marked. After its classes, the library creates an instance that uses all of them,
 * which no bundler can drop; with that instance removed, unused code goes. If the library's code looks different, it
 * is bundled whole.
 */
const lexerOnly = {
	name: "lexer-only",
	setup: (build) =>
		build.onLoad({ filter: /marked\.esm\.js$/ }, async ({ path }) => {
			const whole = await readFile(path, "utf8");
			const instance = /;var (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse\(/.exec(whole);
			const lexer = /\bexport\{[^}]*?\b(\w+) as Lexer\b/.exec(whole);
			if (!instance || !lexer) return null;
			return { contents: `${whole.slice(0, instance.index)};export{${lexer[1]} as Lexer};` };
		}),
};

await rm(join(out, "assets"), { recursive: true, force: true });
await mkdir(join(out, "assets"), { recursive: true });

const texts = await textFiles();
const result = await esbuild.build({
	entryPoints: ["src/main.tsx", "styles/main.css"],
	bundle: true,
	splitting: true,
	format: "esm",
	target: ["es2022"],
	minify: true,
	charset: "utf8",
	legalComments: "none",
	jsx: "automatic",
	jsxImportSource: "preact",
	outdir: join(out, "assets"),
	entryNames: "[name]-[hash]",
	chunkNames: "[name]-[hash]",
	define: {
		TEXT_FILES: JSON.stringify(Object.fromEntries(texts.map(([name, path]) => [name, `/${path}`]))),
		// Hooks for a browser extension that nobody needs who does not change the program.
		"window.__PREACT_SIGNALS_DEVTOOLS__": "false",
	},
	metafile: true,
	write: false,
	logLevel: "warning",
	plugins: [later, lexerOnly],
});

const icon = await readFile("icon.svg");
const iconName = `icon-${hash(icon)}.svg`;
/** Minifies scripts once more, with a program that looks across statements: they get 3 % smaller, gzipped. */
async function squeezed({ path, text, contents }) {
	if (!path.endsWith(".js")) return contents;
	const { code } = await minify(text, {
		module: true,
		ecma: 2020,
		compress: { passes: 4, inline: 1 },
		format: { comments: false },
	});
	return Buffer.from(code);
}

/** Compresses with zopfli, which takes seconds and saves 4 % more; where it is not installed, with plain gzip. */
function pack(path, contents) {
	try {
		return execFileSync("zopfli", ["--i50", "-c", path], { maxBuffer: 2 ** 26 });
	} catch (error) {
		if (error.code !== "ENOENT") throw error;
		return gzipSync(contents, { level: 9 });
	}
}

const files = [];
for (const file of result.outputFiles) files.push([join("assets", basename(file.path)), await squeezed(file)]);
files.push([join("assets", iconName), icon], ...texts.map(([, path, contents]) => [path, contents]));

const entry = find(result.metafile, "src/main.tsx");
const style = find(result.metafile, "styles/main.css");
const preloads = entry.needed.map((path) => `<link rel="modulepreload" href="/assets/${basename(path)}">\n`).join("");
// Most people read English; for the others, the program loads their texts itself.
const english = texts.find(([name]) => name === "board.en")[1];
const words = `<link rel="preload" as="fetch" crossorigin href="/${english}">\n`;
const page = (await readFile("index.html", "utf8"))
	.replace("/assets/icon.svg", `/assets/${iconName}`)
	.replace("/assets/main.css", `/assets/${basename(style.path)}`)
	.replace("/assets/main.js", `/assets/${basename(entry.path)}`)
	.replace("</head>", `${preloads}${words}</head>`);
files.push(["index.html", Buffer.from(page)]);

const sizes = {};
for (const [name, contents] of files) {
	await writeFile(join(out, name), contents);
	const packed = pack(join(out, name), contents);
	await writeFile(join(out, `${name}.gz`), packed);
	sizes[name] = packed.length;
}

const sum = (names) => names.reduce((total, name) => total + sizes[join("assets", basename(name))], 0);
const scripts = Object.keys(sizes).filter((name) => name.endsWith(".js"));
/** What a board loads by itself after its first panel: the parts that board/board.tsx and board/dragging.ts request. */
const BEHIND = ["src/board/lazy_tools.ts", "src/story_parts.ts", "src/ui/markdown.tsx"];
const board = new Set([entry.path, ...entry.needed]);
const packed = { start: sum([...board]), all: sum(scripts) };
for (const source of BEHIND) {
	const { path, needed } = find(result.metafile, `later:${source}`);
	for (const name of [path, ...needed]) board.add(name);
}
packed.board = sum([...board]);
await writeFile("sizes.json", JSON.stringify(packed));
if (process.env.WEB_ANALYZE) console.log(await esbuild.analyzeMetafile(result.metafile));
console.log(
	`web: ${packed.start} bytes of scripts at the start, ${packed.board} that a board loads,` +
		` ${packed.all} with all pages, gzipped`,
);
