// Generates TypeScript types from the server's description: node types.mjs OPENAPI.json > src/api/types.gen.ts
// Every field except the id is optional, since `fields` chooses which ones the server sends.
import { readFileSync } from "node:fs";

const { components } = JSON.parse(readFileSync(process.argv[2], "utf8"));

const camel = (name) => name.replace(/(^|_)([a-z0-9])/g, (_, __, c) => c.toUpperCase());
const reference = (ref) => camel(ref.split("/").pop());

function words(schema) {
	if (schema.$ref) return reference(schema.$ref);
	if ("const" in schema) return JSON.stringify(schema.const);
	if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(" | ");
	const any = schema.anyOf ?? schema.oneOf;
	if (any) return any.map(words).join(" | ");
	const types = [schema.type ?? "unknown"].flat();
	// The server sends times as numbers only if asked with date_format=millis.
	const said = types.includes("string") ? types.filter((type) => type !== "integer") : types;
	return said.map((type) => plain(type, schema)).join(" | ");
}

function plain(type, schema) {
	switch (type) {
		case "integer":
			return "number";
		case "array":
			return `(${words(schema.items ?? {})})[]`;
		case "object":
			return schema.properties ? `{ ${members(schema, " ")} }` : "Record<string, unknown>";
		default:
			return type;
	}
}

function members(schema, end) {
	const required = new Set(schema.required ?? []);
	return Object.entries(schema.properties)
		.map(([name, value]) => `${name}${required.has(name) ? "" : "?"}: ${words(value)};`)
		.join(end);
}

console.log("// Made by types.mjs of the server's own description; not to be edited.\n");
for (const [name, schema] of Object.entries(components.schemas)) {
	if (schema.properties) console.log(`export interface ${camel(name)} {\n\t${members(schema, "\n\t")}\n}\n`);
	else console.log(`export type ${camel(name)} = ${words(schema)};\n`);
}
