// Calls functions of the npm package `pivotal`, a client of version 3, against a server on this machine:
//	echo '[["getProjects"], …]' | node drive.cjs PORT TOKEN
// Prints a list of their results: {"error": …} or {"data": …}. The package is as its authors published it; only the
// address of the server is replaced, and TLS is not used.
const http = require("http");
const https = require("https");
const fs = require("fs");

const [port, token] = process.argv.slice(2);
https.request = (options, done) => http.request({ ...options, host: "127.0.0.1", port: Number(port) }, done);

const pivotal = require("pivotal");
pivotal.useToken(token);

function run([name, ...args]) {
	return new Promise((resolve) => pivotal[name](...args, (error, data) => resolve(error ? { error } : { data })));
}

async function main() {
	const results = [];
	for (const call of JSON.parse(fs.readFileSync(0, "utf8"))) {
		results.push(await run(call));
	}
	console.log(JSON.stringify(results));
}
main();
