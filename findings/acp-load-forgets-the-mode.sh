#!/usr/bin/env bash
# Guess: session/load brings a session back as it was: what the client had set for it, the mode above all, holds again. Or it is
# a matter of the agent's process, and none of them keeps it.
# What happens: Claude keeps it. In Codex a session that was read-only is back in the mode that new sessions have: the next
# command writes, and nobody is asked. In Gemini one that could only plan asks again, and then writes. The answer to session/load
# names the mode; no error and no update says that it's another one than before.
# Who it hurts: supervisors that set a mode once, when a session is new, and load it after a crash, a restart or an update: the
# reviewer that was not to touch anything edits files from then on.
# What to know: set the mode after each session/load as after session/new, and wait for the answer before the next prompt.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {open, same, sleep} from './acp.mjs';

const expected = [
	['claude', 'plan', 'auto, plan', 'not written, not written', 0],
	['codex', 'read-only', 'agent, agent', 'not written, written', 0],
	['gemini', 'plan', 'default, default', 'not written, written', 1],
];

await Promise.all(
	expected.map(async ([name, mode, starts, files, times]) => {
		const run = file => n => ({parts: n === 1 ? [{run: `touch ${file}`}] : ['done']});
		const first = await open(name, run('before'), {mode});
		await first.prompt('Run it');
		// What the agent keeps of it is written by then.
		await sleep(3000);
		await first.close();
		const minute = () => Math.floor(Date.now() / 60_000);
		// Gemini takes a session up only in another minute of the clock.
		for (const then = minute(); name === 'gemini' && minute() === then; ) await sleep(500);
		const second = await open(name, run('after'), {earlier: first});
		await second.prompt('Run it again');
		await second.close();
		same(`${name}: mode of a new session, and of one loaded in which it was ${mode}`, starts, `${first.startMode}, ${second.startMode}`);
		const isThere = file => (existsSync(join(first.work, file)) ? 'written' : 'not written');
		same(`${name}: file before the load, and after it`, files, `${isThere('before')}, ${isThere('after')}`);
		same(`${name}: asked after the load`, times, second.events.filter(({kind}) => kind === 'asked').length);
	}),
);
JS
