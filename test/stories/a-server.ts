/** A server that answers with the content of a file, and a test that asks one as runners of tests do that reuse a server; both go by `PORT`. */
export const serverFiles = {
	'serve.mjs': `import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
createServer((_, response) => response.end(readFileSync(process.argv[2]))).listen(Number(process.env.PORT), '127.0.0.1');
`,
	'ask.mjs': `const ask = () => fetch('http://127.0.0.1:' + process.env.PORT).then(response => response.text());
const answer = async () => {
	for (let tries = 0; tries < 200; tries++) {
		try {
			return await ask();
		} catch {
			await new Promise(resolve => setTimeout(resolve, 50));
		}
	}
};
const text = await answer();
console.log('served: ' + text);
process.exit(text?.trim() === process.argv[2] ? 0 : 1);
`,
};
