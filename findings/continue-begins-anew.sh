#!/usr/bin/env bash
# Guess: `claude -p --continue`, `codex exec resume --last` and `gemini --resume latest -p` go on with the last conversation
# of the folder, and end with an error where there is none: the prompt that follows, say `now commit it`, means nothing
# without what came before.
# What happens: none refuses. Each begins a new conversation with that prompt alone, and exits with 0; Claude and Codex
# without a word, Gemini with a line of its output. Conversations belong to a folder, so that is how it goes in each other
# worktree of the repository.
# Who it hurts: anyone who sends follow-ups to agents in worktrees by these flags: one from the wrong folder, and a model that
# knows nothing of the task acts on half a sentence, as told, and reports success.
# What to know: keep the id of the conversation, and resume by it: an id that isn't there is an error in all three.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @anthropic-ai/claude-code@2.1.332 @openai/codex@0.171.0 @google/gemini-cli@0.61.0
own_home
git init -q -b main "$T/repo"
git -C "$T/repo" commit -q --allow-empty -m start
for worktree in one two; do git -C "$T/repo" worktree add -q "$T/$worktree"; done
run_module <<'JS'
import {spawn} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {same, serveModel} from './acp.mjs';

const bin = name => join(process.cwd(), 'node_modules/.bin', name);
const gemini = (...args) => [bin('gemini'), '--model', 'gemini-2.5-pro', ...args];
const missing = '01a22729-dc5b-7a60-921b-8558aa90df28';
const commands = {
	claude: {
		begin: text => [bin('claude'), '-p', text],
		last: text => [bin('claude'), '-p', '--continue', text],
		byId: text => [bin('claude'), '-p', '--resume', missing, text],
	},
	codex: {
		begin: text => [bin('codex'), 'exec', text],
		last: text => [bin('codex'), 'exec', 'resume', '--last', text],
		byId: text => [bin('codex'), 'exec', 'resume', missing, text],
	},
	gemini: {
		begin: text => gemini('-p', text),
		last: text => gemini('--resume', 'latest', '-p', text),
		byId: text => gemini('--resume', missing, '-p', text),
	},
};

for (const [name, {begin, last, byId}] of Object.entries(commands)) {
	const home = join(process.cwd(), `home-${name}`);
	mkdirSync(home);
	let read;
	const reply = (_, body) => {
		read = ['THE TASK', 'THE FOLLOW-UP'].filter(text => JSON.stringify(body).includes(text));
		return {parts: ['done']};
	};
	const model = await serveModel(name, reply, {home});
	/** The exit code of a command in a worktree, and what the model was last sent of the two prompts. */
	const run = async (worktree, [program, ...args]) => {
		read = [];
		const child = spawn(program, args, {
			cwd: join(process.cwd(), worktree),
			env: model.env,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		let said = '';
		for (const out of [child.stdout, child.stderr]) out.on('data', piece => (said += piece));
		const code = await new Promise(resolve => child.on('close', resolve));
		const words = said.split('\n').find(line => /no .*(session|conversation|rollout)/i.test(line)) ?? 'no word of it';
		return {code, read, words: words.slice(0, 200)};
	};

	same(`${name}: begins in one`, {code: 0, read: ['THE TASK'], words: 'no word of it'}, await run('one', begin('THE TASK')));
	const there = await run('one', last('THE FOLLOW-UP'));
	same(`${name}: goes on in one`, {code: 0, read: ['THE TASK', 'THE FOLLOW-UP'], words: 'no word of it'}, there);
	const words = name === 'gemini' ? 'No previous sessions found for this project.' : 'no word of it';
	const elsewhere = await run('two', last('THE FOLLOW-UP'));
	same(`${name}: goes on in two`, {code: 0, read: ['THE FOLLOW-UP'], words}, elsewhere);
	const {code, read: sent, words: why} = await run('two', byId('THE FOLLOW-UP'));
	console.log(`${name}: ${why}`);
	same(`${name}: by an id that isn't there, fails`, {fails: true, read: []}, {fails: code > 0, read: sent});
	model.close();
}
JS
