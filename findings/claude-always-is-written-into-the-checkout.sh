#!/usr/bin/env bash
# Guess: allow_always, answered to an agent in a linked worktree, holds there: for this session, or in a file of the worktree.
# What happens: Claude writes the rule into `.claude/settings.local.json` of the main worktree, and makes the folder there if it
# is missing. The checkout, where no agent runs, has something untracked from then on, the worktree hasn't; and an agent in any
# other worktree is no longer asked for that command. With the worktree removed the rule stays. For Gemini the same kind of
# option is for the session, and writes nothing.
# Who it hurts: clients and people who take the checkout for untouched as long as agents work in worktrees, and anyone who says
# "don't ask again" to one agent about one task: they have said it to all, for good.
# What to know: in ACP only the option's name tells how far it reaches. Answer allow_once and keep the rule in the client.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {execSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {open, same} from './acp.mjs';

const made = {claude: '.claude/settings.local.json', gemini: ''};
const asked = {claude: 'asked 1, in another worktree 0', gemini: 'asked 1, in another worktree 1'};

for (const name of ['claude', 'gemini']) {
	const main = join(process.cwd(), `${name}-main`);
	mkdirSync(main);
	const git = words => execSync(`git ${words}`, {cwd: main, encoding: 'utf8'}).trim();
	git('init -q -b main');
	git('commit -q --allow-empty -m start');
	const untracked = 'ls-files --others';
	const run = async decision => {
		const agent = await open(name, n => ({parts: n === 1 ? [{run: 'make thing'}] : ['done']}), {
			...(name === 'claude' ? {mode: 'default'} : {}),
			decision,
			prepare: work => git(`worktree add -q --detach ${work}`),
		});
		await agent.prompt('Make it');
		await agent.close();
		const times = agent.events.filter(({kind}) => kind === 'asked').length;
		const inWorktree = git(`-C ${agent.work} ${untracked}`);
		git(`worktree remove --force ${agent.work}`);
		return {times, inWorktree};
	};

	const first = await run('allow_always');
	same(`${name}: untracked in the worktree`, '', first.inWorktree);
	same(`${name}: untracked in the main worktree`, made[name], git(untracked));
	const second = await run('allow_once');
	same(name, asked[name], `asked ${first.times}, in another worktree ${second.times}`);
}
JS
