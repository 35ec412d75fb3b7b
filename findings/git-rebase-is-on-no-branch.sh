#!/usr/bin/env bash
# Guess: settings under `includeIf.onbranch:agent/**` hold for all that is done on such a branch, and a rebase of the branch is
# that: git says "rebasing agent/1", and moves that branch at its end.
# What happens: while a rebase is stopped they don't hold, as HEAD is on no branch then: `git rebase --continue` makes its
# commits with the other identity, and all later commits of that rebase too. A rebase that doesn't stop has the branch's
# settings for all of them. So one branch has commits of both, depending on where there were conflicts.
# Who it hurts: anyone who keeps agents' commits apart by branch (name and address, no signature or another key, other hooks): what
# an agent rebased after a conflict is committed in the person's name, and signed with the person's key.
# What to know: settings for agents in the worktree (`git config --worktree`) or the environment hold all the time.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
unset "${!GIT_AUTHOR_@}" "${!GIT_COMMITTER_@}"
printf '[user]\n\tname = Agent\n' >"$T/agent.config"
git config --global user.name Person
git config --global user.email person@example.com
git config --global 'includeIf.onbranch:agent/**.path' "$T/agent.config"
git init -q -b main "$T/repo"
cd "$T/repo"
echo 1 >file
git add .
git commit -qm start
git branch quiet
git worktree add -q -b agent/1 "$T/agent"
echo main >file
git commit -qam main
git switch -q quiet
git commit -q --allow-empty -m quiet
cd "$T/agent"
echo agent >file
git commit -qam one
echo 2 >new
git add new
git commit -qm two

committers() { git log -2 --reverse --format='%s %cn' | paste -s -d ' '; }
same 'committers' 'one Agent two Agent' "$(committers)"
git rebase -q quiet
same 'after a rebase that does not stop' 'one Agent two Agent' "$(committers)"
git rebase -q main >"$T/log" 2>&1 || true
same 'the name while it is stopped' 'Person' "$(git config user.name)"
same 'what git status says' "rebasing branch 'agent/1'" "$(git status | grep -o "rebasing branch 'agent/1'")"
echo both >file
git add file
GIT_EDITOR=: git rebase --continue >"$T/log" 2>&1
same 'after one that stopped' 'one Person two Person' "$(committers)"
