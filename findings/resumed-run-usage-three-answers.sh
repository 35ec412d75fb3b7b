#!/usr/bin/env bash
# Guess: what `claude -p`, `codex exec` and `gemini -p` report in JSON at the end of a run is what the run took, also where it
# goes on with an earlier conversation. Claude's documentation says so: each call reports its own cost, and the sum over a
# conversation is the caller's to make.
# What happens: Gemini reports the run. Codex reports all that the conversation has taken since it began. Claude does both in one
# object: `usage` and `num_turns` are of this run, `total_cost_usd` and `modelUsage` of the whole conversation, and of the
# one that it was forked from.
# Who it hurts: anyone who adds up what follow-ups cost: ten runs of a dollar each come to 55, and a budget of ten is used up after
# the fourth. And anyone who divides the two numbers of Claude's by each other.
# What to know: of Claude's cost and Codex's tokens keep the last of a conversation, or subtract the one before.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @anthropic-ai/claude-code@2.1.332 @openai/codex@0.171.0 @google/gemini-cli@0.61.0
own_home
git init -q -b main "$T/work"
git -C "$T/work" commit -q --allow-empty -m start
run_module <<'JS'
import {spawn} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {same, serveModel} from './acp.mjs';

const ofClaude = ({num_turns, usage, modelUsage, total_cost_usd}) => ({
	turns: num_turns,
	usage: usage.input_tokens,
	modelUsage: Object.values(modelUsage).map(({inputTokens}) => inputTokens),
	cost: total_cost_usd.toFixed(4),
});
const lines = text => text.split('\n').filter(line => line.startsWith('{')).map(line => JSON.parse(line));
const programs = {
	claude: {
		runs: {begins: [], goesOn: ['--continue'], forks: ['--continue', '--fork-session']},
		args: ['-p', '--output-format', 'json'],
		read: said => ofClaude(JSON.parse(said)),
		expected: {
			begins: {turns: 1, usage: 1000, modelUsage: [1000], cost: '0.0041'},
			goesOn: {turns: 1, usage: 1000, modelUsage: [2000], cost: '0.0082'},
			forks: {turns: 1, usage: 1000, modelUsage: [3000], cost: '0.0123'},
		},
	},
	codex: {
		runs: {begins: ['exec', '--json'], goesOn: ['exec', '--json', 'resume', '--last']},
		read: said => lines(said).findLast(({type}) => type === 'turn.completed').usage.input_tokens,
		expected: {begins: 1000, goesOn: 2000},
	},
	gemini: {
		runs: {begins: [], goesOn: ['--resume', 'latest']},
		args: ['--model', 'gemini-2.5-pro', '--output-format', 'json', '-p'],
		read: said => JSON.parse(said).stats.models['gemini-2.5-pro'].tokens.input,
		expected: {begins: 1000, goesOn: 1000},
	},
};

for (const [name, {runs, args = [], read, expected}] of Object.entries(programs)) {
	const home = join(process.cwd(), `home-${name}`);
	mkdirSync(home);
	let requests = 0;
	const reply = () => {
		requests += 1;
		return {parts: ['done']};
	};
	const model = await serveModel(name, reply, {home});
	const report = async given => {
		const child = spawn(join(process.cwd(), 'node_modules/.bin', name), [...given, ...args, 'hello'], {
			cwd: join(process.cwd(), 'work'),
			env: model.env,
			stdio: ['ignore', 'pipe', 'ignore'],
		});
		let said = '';
		child.stdout.on('data', piece => (said += piece));
		await new Promise(resolve => child.on('close', resolve));
		return read(said);
	};

	for (const [run, given] of Object.entries(runs)) {
		requests = 0;
		same(`${name} ${run}`, expected[run], await report(given));
		same('requests in this run, each of 1000 tokens', '1', `${requests}`);
	}

	model.close();
}
JS
