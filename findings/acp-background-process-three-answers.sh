#!/usr/bin/env bash
# Guess: a server that an agent starts with `&` in one command runs in its next commands, whether by `nohup`, `setsid` or
# neither; and once the agent's process group is killed, what is left of it is gone.
# What happens: Claude leaves all three running. Gemini's terminal hangs up on the plain one when its command ends; those of
# nohup and setsid stay. Codex kills all three in its sandbox, and without it (agent-full-access) all but the one of setsid.
# What a command left running survives the agent, since each command has a process group of its own.
# Who it hurts: an agent that starts a server, asks it, and concludes from "connection refused" that its code is broken; and
# people whose ports and memory are held by servers of agents that ended long ago.
# What to know: a client that means to leave nothing must find processes by more than the agent's group (a cgroup, a
# namespace, a mark in the environment).
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {execFileSync} from 'node:child_process';
import {open, same} from './acp.mjs';

const programs = ['plain', 'nohup', 'setsid'];
const start = name =>
	`: > ${name}.log; ${name === 'plain' ? '' : name} tail -f ${name}.log > /dev/null 2>&1 & timeout 1 tail -f /dev/null; echo started`;

/** Returns which of the programs run with a folder as their working directory. */
const running = folder =>
	execFileSync('sh', ['-c', 'for p in /proc/[0-9]*; do [ "$(readlink $p/cwd)" = "$0" ] && tr "\\0" " " < $p/cmdline; done; true', folder])
		.toString()
		.match(/(?<=tail -f )\w+/g)
		?.sort((a, b) => programs.indexOf(a) - programs.indexOf(b))
		.join(' ') ?? 'none';

const expected = [
	['claude', 'default', 'plain nohup setsid'],
	['codex', undefined, 'none'],
	['codex', 'agent-full-access', 'setsid'],
	['gemini', undefined, 'nohup setsid'],
];
for (const [name, mode, left] of expected) {
	let after;
	let agent;
	const reply = n => {
		if (n === programs.length + 1) after = running(agent.work);
		return {parts: n <= programs.length ? [{run: start(programs[n - 1])}] : ['done']};
	};
	agent = await open(name, reply, mode ? {mode} : {});
	await agent.prompt('Start three servers');
	const how = `${name}${mode ? ` in mode ${mode}` : ''}`;
	same(`${how}: running when its last command is over`, left, after);
	await agent.close();
	same(`${how}: running when its process group is killed`, left, running(agent.work));
	execFileSync('sh', ['-c', 'for p in /proc/[0-9]*; do [ "$(readlink $p/cwd)" = "$0" ] && kill ${p#/proc/}; done; true', agent.work]);
}
JS
