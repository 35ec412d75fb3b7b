#!/usr/bin/env bash
# Guess: a linked worktree is a project of its own. `.claude/settings.local.json` is in no commit, so what a person allowed,
# refused or hooked in their checkout is not there, as `.claude/settings.json` and CLAUDE.local.md of the checkout are not.
# What happens: Claude finds the main worktree through git's files and takes its settings.local.json into every linked
# worktree, wherever that is: permissions, environment and hooks, which run with the linked worktree as project. A
# settings.local.json of the linked worktree's own is joined to it and replaces nothing.
# Who it hurts: anyone who gives an agent a worktree so that it begins with nothing, and had once said "don't ask again" in the
# checkout; and tools that copy or link the file into worktrees, as many do, for nothing.
# What to know: start the agent with `--setting-sources` without `local`, or in a repository that isn't a worktree of yours.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0
own_home
run_module <<'JS'
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {open, same} from './acp.mjs';

const checkout = join(process.cwd(), 'checkout');
const git = (...args) => execFileSync('git', args, {cwd: checkout});
mkdirSync(join(checkout, '.claude'), {recursive: true});
git('init', '-q', '-b', 'main');
git('commit', '-q', '--allow-empty', '-m', 'one');

const run = 'echo "$MARK" > "$CLAUDE_PROJECT_DIR/hook-ran"; echo "said by the hook: $MARK"';
const settings = JSON.stringify({
	permissions: {deny: ['Bash']},
	env: {MARK: 'taken'},
	hooks: {SessionStart: [{hooks: [{type: 'command', command: run}]}]},
});

// What of the checkout's file holds in a linked worktree outside of it, which may have a file of its own.
const inWorktree = async (file, own) => {
	writeFileSync(join(checkout, file), settings);
	const prepare = work => {
		git('worktree', 'add', '-q', '-f', '--detach', work);
		if (own) mkdirSync(join(work, '.claude'));
		if (own) writeFileSync(join(work, file), own);
	};
	const agent = await open('claude', () => ({parts: ['All right.']}), {prepare});
	await agent.prompt('Hello');
	await agent.close();
	rmSync(join(checkout, file));
	const {body} = agent.events.find(({isTurn}) => isTurn);
	return {
		bash: body.tools.some(({name}) => name === 'Bash') ? 'allowed' : 'denied',
		said: /said by the hook: \w*/.exec(JSON.stringify(body))?.[0] ?? '',
		ran: ['checkout', agent.work].filter(folder => existsSync(join(folder, 'hook-ran'))).length,
		inCheckout: existsSync(join(checkout, 'hook-ran')),
	};
};

const nothing = {bash: 'allowed', said: '', ran: 0, inCheckout: false};
const everything = {bash: 'denied', said: 'said by the hook: taken', ran: 1, inCheckout: false};
same('settings.json of the checkout', nothing, await inWorktree('.claude/settings.json'));
const local = '.claude/settings.local.json';
same('settings.local.json of the checkout', everything, await inWorktree(local));
same('beside an empty one of the worktree', everything, await inWorktree(local, '{}'));
JS
