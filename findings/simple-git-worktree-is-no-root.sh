#!/usr/bin/env bash
# Guess: simple-git's `checkIsRepo('root')` tells whether a folder is the top of a repository's work, so of a linked
# worktree's top it says yes, as `git rev-parse --show-toplevel` does; and its branch list marks as `linkedWorkTree` those
# branches that linked worktrees have checked out.
# What happens: in a linked worktree the answer is no, as in any folder below a top, since only a git folder called .git
# counts. And the mark means "checked out elsewhere": seen from a linked worktree the main worktree's branch has it, and
# the linked worktree's own has not.
# Who it hurts: tools that take this no for "run git init here" or "go up a folder", and clean-ups that leave alone what is
# marked.
# What to know: compare `revparse(['--show-toplevel'])` with the folder; ask `git worktree list` whose a branch is.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 simple-git@4.0.2
own_home
git --version
run_module <<'JS'
import {mkdirSync} from 'node:fs';
import {simpleGit} from 'simple-git';
import {same} from './acp.mjs';

mkdirSync('main');
const main = simpleGit('main');
await main.init(['-q', '-b', 'main']);
await main.addConfig('user.name', 'Someone');
await main.addConfig('user.email', 'someone@example.com');
await main.raw('commit', '-q', '--allow-empty', '-m', 'one');
await main.raw('worktree', 'add', '-q', '-b', 'task', '../linked');
const linked = simpleGit('linked');
mkdirSync('linked/below');

const isRoot = git => git.checkIsRepo('root');
same('the top of the main worktree is a root', true, await isRoot(main));
same('the top of a linked worktree', false, await isRoot(linked));
same('a folder below', false, await isRoot(simpleGit('linked/below')));
const top = await linked.revparse(['--show-toplevel']);
same('git says that it is a top', true, top.endsWith('/linked'));

const marked = async git =>
	Object.values((await git.branchLocal()).branches)
		.filter(({linkedWorkTree}) => linkedWorkTree)
		.map(({name}) => name);
same('marked as linked, seen from the main worktree', ['task'], await marked(main));
same('marked as linked, seen from the linked worktree', ['main'], await marked(linked));
JS
