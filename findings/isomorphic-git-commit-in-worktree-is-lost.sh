#!/usr/bin/env bash
# Guess: isomorphic-git 1.44 follows the file `.git` of a linked worktree: it names the branch there, and reads and writes
# the index that git uses. So what it commits there is committed, as in the main worktree, or it says that it can't.
# What happens: it takes the worktree's own git folder for a whole repository. commit answers with an id, but the commit
# has no parent, and it lies with its branch and its objects in .git/worktrees/NAME, where git doesn't look: to git the
# branch hasn't moved and the change is still staged. log of isomorphic-git itself shows the commit. `git worktree remove`
# asks for --force because of the change, and then takes the commit with it.
# Who it hurts: anyone who lets tools that commit by isomorphic-git (of editors, releases, generated files) run in agents'
# worktrees: they tell of commits that neither git nor a supervisor ever sees.
# What to know: where `.git` is a file use git itself, and believe a commit only when git finds its id.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 isomorphic-git@1.44.11
own_home
git --version
git init -q -b main "$T/repo"
cd "$T/repo"
echo one >file
git add .
git commit -qm one
git worktree add -q -b topic "$T/linked"
cd "$T/linked"
echo two >file
export WORKTREE=$T/linked T_ID=$T/id
run_module <<'JS'
import fs from 'node:fs';
import git from 'isomorphic-git';
import {same} from './acp.mjs';

const where = {fs, dir: process.env.WORKTREE};
same('its branch', 'topic', await git.currentBranch(where));
same('its files in the index', ['file'], await git.listFiles(where));
same('its branches, before', [], await git.listBranches(where));
const failed = await git.log(where).catch(({code}) => code);
same('its log, before', 'NotFoundError', failed);
await git.add({...where, filepath: 'file'});
const author = {name: 'Someone', email: 'someone@example.com'};
const id = await git.commit({...where, message: 'two', author});
same('commit answers with', 'an id', /^[\da-f]{40}$/.test(id) ? 'an id' : id);
const seen = (await git.log(where)).map(({commit}) => [commit.message.trim(), commit.parent.length]);
same('its log, after: message and number of parents', [['two', 0]], seen);
fs.writeFileSync(process.env.T_ID, id);
JS
id=$(cat "$T_ID")
same 'log of git, after' one "$(git log --format=%s)"
same 'status of git, after' 'M  file' "$(git status --short)"
same 'git finds the commit' no "$(git cat-file -e "$id" 2>/dev/null && echo yes || echo no)"
own=$(git rev-parse --absolute-git-dir)
same 'branch in the folder of the worktree' "$id" "$(cat "$own/refs/heads/topic")"
object=objects/${id:0:2}/${id:2}
same 'commit in the folder of the worktree' there "$([ -e "$own/$object" ] && echo there || echo absent)"
cd "$T/repo"
same 'remove says' 'contains modified or untracked files, use --force to delete it' \
	"$(git worktree remove "$T/linked" 2>&1 | sed "s/.*' //")"
git worktree remove --force "$T/linked"
same 'the commit after remove --force' absent "$(find .git -path "*/$object" | grep -q . && echo there || echo absent)"
