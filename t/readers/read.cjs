// Reads a CSV file of stories with other people's programs, and prints what they got as JSON.
//	node read.cjs csv-parse|linear FILE
// @linear/import is a program, not a library: it is loaded without its last statement, which
// would ask questions.
const fs = require("fs");
const Module = require("module");
const path = require("path");

function linear() {
	const folder = path.dirname(require.resolve("@linear/import/package.json"));
	const file = path.join(folder, "dist", "cli.cjs");
	const text = fs.readFileSync(file, "utf8");
	const main = text.lastIndexOf("(async () => {");
	if (main < 0) throw new Error(`${file} has another form than expected`);
	const module = new Module(file);
	module.filename = file;
	module.paths = Module._nodeModulePaths(folder);
	module._compile(`${text.slice(0, main).replace(/^#!.*/, "")}\nmodule.exports = { PivotalCsvImporter };`, file);
	return module.exports.PivotalCsvImporter;
}

async function main(reader, file) {
	if (reader === "linear") return new (linear())(file).import();
	const { parse } = require("csv-parse/sync");
	return parse(fs.readFileSync(file), { relax_column_count_less: true });
}

main(process.argv[2], process.argv[3]).then(
	(made) => process.stdout.write(JSON.stringify(made)),
	(fault) => {
		console.error(fault);
		process.exit(1);
	});
