/*
 * An assistant's day, with the libraries by the protocol's authors:
 *	node work.mjs sdk|client ADDRESS TOKEN PROJECT
 * "sdk" uses the revision before the newest, "client" the newest. Prints what it saw as JSON.
 */
const [library, address, token, project] = process.argv.slice(2);
const newest = library === "client";
const { Client } = await import(newest ? "@modelcontextprotocol/client" : "@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = await import(
	newest ? "@modelcontextprotocol/client" : "@modelcontextprotocol/sdk/client/streamableHttp.js"
);
const client = new Client({ name: "work", version: "1" }, newest ? { versionNegotiation: { mode: "auto" } } : {});
await client.connect(
	new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
);

async function call(name, args) {
	const { content, isError } = await client.callTool({ name, arguments: args });
	return isError ? { refused: content[0].text } : JSON.parse(content[0].text.split("\n").slice(1).join("\n"));
}

const seen = { server: client.getServerVersion(), instructions: client.getInstructions() };
seen.tools = (await client.listTools()).tools.map((tool) => tool.name);
seen.projects = (await call("list_projects", {})).items.map((p) => p.id);
seen.resources = (await client.listResources()).resources.map((r) => r.uri);
seen.templates = (await client.listResourceTemplates()).resourceTemplates.map((t) => t.uriTemplate);
seen.added = await call("add_story", {
	project_id: Number(project),
	name: `Planned by ${library}`,
	estimate: 2,
	labels: ["assistant"],
	current_state: "unstarted",
});
const story = seen.added.id;
if (story) {
	for (const current_state of ["started", "finished", "delivered"])
		seen[current_state] = (await call("change_story", { story_id: story, current_state })).current_state;
	await call("comment_on_story", { project_id: Number(project), story_id: story, text: "Done, please look." });
	seen.shown = await call("show_story", { story_id: story });
	seen.read = (await client.readResource({ uri: `planwright://story/${story}` })).contents[0].text;
	seen.found = (await call("find_stories", { project_id: Number(project), filter: "label:assistant" })).total;
}
try {
	await client.callTool({ name: "delete_everything", arguments: {} });
} catch (error) {
	seen.unknown = error.message;
}
await client.close();
console.log(JSON.stringify(seen));
