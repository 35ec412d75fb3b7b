#!/usr/bin/env bash
# Guess: opencode's revert of a prompt takes back what the agent wrote after it, and leaves alone, or at least reports, what others
# changed meanwhile: it keeps a list of files for each step.
# What happens: the list of a step holds every file of the folder that changed while the step ran, anyone who changed it. A revert
# deletes a file that the person made meanwhile, and takes back an edit of theirs in a file that the agent never touched, as
# well as an edit of theirs that is later than the turn, in a file that the agent had changed. Nothing says so but a diff in the answer.
# Who it hurts: people who edit beside the agent, two sessions in one folder, and a formatter or a test that runs there: taking back
# one agent's turn takes back their work too, and a host that shows the list credits it to the agent.
# What to know: an agent that may be reverted needs a worktree of its own. As long as nothing new was asked, unrevert brings all of it back.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 opencode-ai@1.18.33
own_home
install_git_2_39
printf 'opencode %s\n' "$(opencode --version)"
run_module <<'JS'
import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {basename, join} from 'node:path';
import {json} from 'node:stream/consumers';
import {same} from './acp.mjs';

const repo = join(process.cwd(), 'repo');
const path = name => join(repo, name);
const git = (...args) => execFileSync('git', ['-C', repo, ...args]);
mkdirSync(repo);
for (const name of ['code', 'notes']) writeFileSync(path(name), 'start\n');
git('init', '-qb', 'main');
git('add', '.');
git('commit', '-qm', 'start');

/** The model's answers, one for each request of the turn. */
const bash = command => ({
	tool_calls: [{index: 0, id: `call_${command.length}`, type: 'function', function: {name: 'bash', arguments: JSON.stringify({command, description: 'work'})}}],
});
const personWrites = () => {
	writeFileSync(path('notes'), 'start\nby the person\n');
	writeFileSync(path('new-notes'), 'by the person\n');
};
const answers = [
	() => bash('echo by the agent >> code; echo by the agent > new-code'),
	() => {
		personWrites();
		return bash('true');
	},
	() => ({content: 'done'}),
];
const model = createServer(async (request, response) => {
	const {tools = []} = await json(request);
	const delta = tools.length > 0 ? answers.shift()() : {content: 'A title'};
	const chunk = (delta, finish_reason) =>
		`data: ${JSON.stringify({id: 'lab', object: 'chat.completion.chunk', created: 1, model: 'lab', choices: [{index: 0, delta, finish_reason}]})}\n\n`;
	response.writeHead(200, {'content-type': 'text/event-stream'});
	response.end(`${chunk({role: 'assistant', ...delta}, null)}${chunk({}, delta.content ? 'stop' : 'tool_calls')}data: [DONE]\n\n`);
}).listen(0, '127.0.0.1');
await once(model, 'listening');

const configuration = {
	provider: {
		lab: {
			npm: '@ai-sdk/openai-compatible',
			options: {baseURL: `http://127.0.0.1:${model.address().port}/v1`, apiKey: 'made-up'},
			models: {lab: {}},
		},
	},
	...{model: 'lab/lab', small_model: 'lab/lab', permission: {'*': 'allow'}, autoupdate: false, share: 'disabled'},
};
const off = Object.fromEntries(['MODELS_FETCH', 'AUTOUPDATE', 'LSP_DOWNLOAD', 'DEFAULT_PLUGINS'].map(name => [`OPENCODE_DISABLE_${name}`, '1']));
const agent = spawn('opencode', ['serve', '--port', '0'], {
	env: {...process.env, ...off, OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration)},
	stdio: ['ignore', 'pipe', 'ignore'],
	detached: true,
});
try {
	let said = '';
	for await (const words of agent.stdout) if ((said += words).includes('http://')) break;
	const [url] = /http:\/\/[\w.:]+/.exec(said);
	const ask = async (method, route, body) => {
		const answer = await fetch(`${url}${route}?directory=${encodeURIComponent(repo)}`, {
			method,
			headers: {'content-type': 'application/json'},
			body: body && JSON.stringify(body),
		});
		return answer.json();
	};
	const told = () =>
		['code', 'new-code', 'notes', 'new-notes']
			.map(name => `${name}: ${existsSync(path(name)) ? readFileSync(path(name), 'utf8').trim().split('\n').join(' + ') : 'none'}`)
			.join('; ');
	const {id} = await ask('POST', '/session', {title: 'lab'});
	await ask('POST', `/session/${id}/message`, {parts: [{type: 'text', text: 'work'}]});
	const messages = await ask('GET', `/session/${id}/message`);
	const lists = messages.flatMap(({parts}) => parts.filter(part => part.type === 'patch').map(part => part.files.map(file => basename(file)).sort().join(' ')));
	same('files of the step that wrote two', 'code new-code', lists[0]);
	same('files of the step that ran `true`', 'new-notes notes', lists[1]);
	writeFileSync(path('code'), 'start\nby the agent\nlater, by the person\n');
	const before = 'code: start + by the agent + later, by the person; new-code: by the agent; notes: start + by the person; new-notes: by the person';
	same('before', before, told());
	await ask('POST', `/session/${id}/revert`, {messageID: messages.find(({info}) => info.role === 'user').info.id});
	same('after the revert', 'code: start; new-code: none; notes: start; new-notes: none', told());
	await ask('POST', `/session/${id}/unrevert`, {});
	same('after an unrevert', before, told());
} finally {
	process.kill(-agent.pid, 'SIGKILL');
	model.closeAllConnections();
	model.close();
}
process.exit();
JS
