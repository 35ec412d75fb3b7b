#!/usr/bin/env bash
# Guess: an agent looks at its own work by `git diff`, as everybody does, and sees the patch.
# What happens: gemini-cli gives its commands an empty diff.external, meant to run no program. To git an empty name is a program
# as well: it tries to run it, and ends with 128, "external diff died", at the first file that has changed. So do
# `git diff HEAD`, `git diff A B` and `git diff --exit-code`, whose 1 for "changed" is 128. `git diff --stat`, `git show`
# and `git log -p` work. core.editor is empty too: `git revert` and `git commit --amend` find no editor, whatever EDITOR says.
# In Claude and Codex each of these diffs is what it is anywhere.
# Who it hurts: agents of gemini-cli, which can't see their changes by the command that instructions name, and projects whose
# checks compare generated files by `git diff --exit-code`: to a script that knows 0 and 1 the repository is broken.
# What to know: `git diff --no-ext-diff` prints the patch. GIT_EDITOR=true lets revert and amend go on.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
install_git_2_39
run_module <<'JS'
import {execSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {open, same} from './acp.mjs';

const commands = [
	'git diff',
	'git diff HEAD',
	'git diff HEAD~1 HEAD',
	'git diff --exit-code',
	'git diff --stat',
	'git show',
	'git log -p',
	'git diff --no-ext-diff',
	'GIT_EDITOR=true git commit -q --amend',
];
const gemini = '128, 128, 128, 128, 0, 0, 0, 0, 0';
const others = '0, 0, 0, 1, 0, 0, 0, 0, 0';
const amend = 'EDITOR=true git commit -q --amend';
const identity = Object.fromEntries(
	Object.entries(process.env).filter(([name]) => name.startsWith('GIT_')),
);

for (const [name, expected] of [['claude', others], ['codex', others], ['gemini', gemini]]) {
	const all = [...commands, amend].map(command => `${command} >>out 2>&1; echo $? >>codes`);
	const agent = await open(name, n => ({parts: n === 1 ? [{run: all.join('\n')}] : ['done']}), {
		...(name === 'claude' ? {mode: 'default'} : {}),
		// The sandbox of Codex lets nobody commit.
		env: {...identity, INITIAL_AGENT_MODE: 'agent-full-access'},
		prepare(work) {
			const commit = 'git add file && git commit -qm';
			const lines = ['git init -q', 'echo a >file', `${commit} a`, 'echo b >>file', `${commit} b`, 'echo c >>file'];
			execSync(lines.join('\n'), {cwd: work});
		},
	});
	await agent.prompt('Run it');
	const codes = readFileSync(join(agent.work, 'codes'), 'utf8').trim().split('\n');
	same(`${name}: ${commands.join(', ')}`, expected, codes.slice(0, -1).join(', '));
	if (name === 'gemini') {
		same(`gemini: ${amend}`, '1', codes.at(-1));
		const words = new Set(readFileSync(join(agent.work, 'out'), 'utf8').match(/external diff died|unable to start editor ''/g));
		same('gemini: git says', "external diff died, unable to start editor ''", [...words].join(', '));
	}

	await agent.close();
}
JS
