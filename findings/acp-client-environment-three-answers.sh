#!/usr/bin/env bash
# Guess: the environment in which a client starts an agent is what the agent's commands get, with something added or held back
# perhaps. `bash -c` reads neither .profile nor .bashrc, so what a client has set there stays as it is.
# What happens: Codex asks a login shell once, and gives what that has set to all commands: PATH is what /etc/profile, .profile
# and .bashrc make of it from nothing, the client's is gone, and a variable that one of them sets has their value. Claude reads
# .bashrc, whose variables win over the client's, but not its PATH. Gemini alone hands on what it was given.
# Who it hurts: anyone who starts agents with a PATH of their own, with a version manager's Node, a wrapper around git or a program
# that must be refused in front, or sets EDITOR, a port or a database for one worktree. In Codex each test runs by another
# Node than the client's, and nothing says so.
# What to know: give Codex allow_login_shell = false, and it keeps the client's PATH; or set what matters in
# shell_environment_policy.set. A variable that .bashrc sets wins even then.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {open, same} from './acp.mjs';

const programs = join(process.cwd(), 'programs');
mkdirSync(programs);
writeFileSync(join(programs, 'tool'), '#!/bin/sh\necho the client’s\n', {mode: 0o755});
const command =
	'{ tool 2>/dev/null || echo missing; echo "$IN_BASHRC"; echo "$IN_PROFILE"; echo "$IN_NEITHER"; } >seen';
const kept = 'the client’s';
const expected = [
	['claude', {}, [kept, '.bashrc', kept, kept]],
	['codex', {}, ['missing', '.bashrc', '.profile', kept]],
	['codex', {CODEX_CONFIG: '{"allow_login_shell": false}'}, [kept, '.bashrc', kept, kept]],
	['gemini', {}, [kept, kept, kept, kept]],
];

for (const [name, settings, seen] of expected) {
	const agent = await open(name, n => ({parts: n === 1 ? [{run: command}] : ['done']}), {
		...(name === 'claude' ? {mode: 'default'} : {}),
		env: {
			SHELL: '/bin/bash',
			PATH: `${programs}:${process.env.PATH}`,
			IN_BASHRC: kept,
			IN_PROFILE: kept,
			IN_NEITHER: kept,
			...settings,
		},
		prepare(work) {
			const home = dirname(work);
			writeFileSync(join(home, '.bashrc'), 'export IN_BASHRC=.bashrc\n');
			// What /etc/profile does on Debian and elsewhere; here it must not depend on that.
			const path = '/usr/local/bin:/usr/bin:/bin';
			writeFileSync(join(home, '.bash_profile'), `export IN_PROFILE=.profile\nPATH=${path}\n. ~/.bashrc\n`);
		},
	});
	await agent.prompt('Run it');
	const given = Object.keys(settings).length > 0 ? ` with ${Object.values(settings)}` : '';
	const now = readFileSync(join(agent.work, 'seen'), 'utf8').trim().split('\n');
	same(`${name}${given}: tool, variable in .bashrc, in .profile, in neither`, seen.join(', '), now.join(', '));
	await agent.close();
}
JS
