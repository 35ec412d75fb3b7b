#!/usr/bin/env bash
# Guess: once an agent has resolved a conflict, `git rebase --continue` goes on with the message as it was: agents see to it
# that no editor is in the way, all in the same manner.
# What happens: git opens an editor for that message. Claude sets GIT_EDITOR=true, and the rebase is done. Codex sets
# TERM=dumb and no editor: git refuses to open one, and ends with 1. Gemini sets core.editor to nothing: git can't start '',
# and ends with 1, also where the client gave EDITOR. In both the rebase stays as it is, with all resolved and staged, and
# each further --continue says the same. `git commit --amend`, `git rebase -i` and `git cherry-pick --continue` do as it does.
# Who it hurts: anyone who has agents rebase their branches onto others' work: two of three stand before a rebase that can't go on,
# and reach for --skip, which drops the commit, or --abort.
# What to know: start agents with GIT_EDITOR=: in their environment. All three hand it on or set their own.
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

const repository = `git init -q -b main
echo base >file; git add file; git commit -qm base
git switch -qc work; echo work >file; git commit -qam work
git switch -q main; echo main >file; git commit -qam main
git switch -q work`;
// Gemini runs no command with a substitution in it.
const command = `git rebase main >/dev/null 2>&1; echo both >file; git add file
git rebase --continue >out 2>&1; echo $? >seen; git log -1 --format=%s >>seen; git status >>seen`;
const identity = Object.fromEntries(
	Object.entries(process.env).filter(([name]) => name.startsWith('GIT_')),
);
const done = '0, on top: work, no rebase in progress';
const stuck = '1, on top: main, rebase in progress';
const dumb = 'error: Terminal is dumb, but EDITOR unset';
const empty = "error: unable to start editor ''";
const expected = [
	['claude', {}, done, ''],
	['codex', {}, stuck, dumb],
	['gemini', {}, stuck, empty],
	['gemini', {EDITOR: 'true', VISUAL: 'true'}, stuck, empty],
	['codex', {GIT_EDITOR: ':'}, done, ''],
	['gemini', {GIT_EDITOR: ':'}, done, ''],
];

for (const [name, given, what, error] of expected) {
	const agent = await open(name, n => ({parts: n === 1 ? [{run: command}] : ['done']}), {
		...(name === 'claude' ? {mode: 'default'} : {}),
		// The sandbox of Codex lets nobody commit.
		env: {...identity, INITIAL_AGENT_MODE: 'agent-full-access', ...given},
		prepare: work => execSync(repository, {cwd: work}),
	});
	await agent.prompt('Run it');
	const read = file => readFileSync(join(agent.work, file), 'utf8');
	const [code, subject, ...status] = read('seen').split('\n');
	const rebase = `${status.join().includes('rebase in progress') ? '' : 'no '}rebase in progress`;
	same([name, ...Object.keys(given)].join(', '), what, `${code}, on top: ${subject}, ${rebase}`);
	const errors = read('out').split('\n').filter(line => line === dumb || line === empty);
	same('git says', error, [...new Set(errors)].join());
	await agent.close();
}
JS
