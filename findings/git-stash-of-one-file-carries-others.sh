#!/usr/bin/env bash
# Guess: `git stash push -- FILE` keeps the changes of that file and of no other, as its manual says ("only for the files that
# match"). So one file's changes go from one worktree to another by it, and pop there.
# What happens: all that is staged is in the stash too, though it stays staged here. In the other worktree pop brings it along;
# here, once that was committed and edited on, pop ends with a conflict in a file that was never named, and keeps the stash.
# The same command without anything staged does what was meant.
# Who it hurts: anyone who moves a change out of an agent's way, from the checkout into a worktree, while other work is staged:
# the agent commits what the person was about to.
# What to know: `git diff HEAD -- FILE | git -C WORKTREE apply`; or unstage first.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
git init -q -b main "$T/repo"
cd "$T/repo"
echo 1 | tee mine theirs >"$T/log"
git add .
git commit -qm start
git worktree add -q -b agent "$T/agent"

echo 2 | tee mine theirs >"$T/log"
git stash push -q -- theirs
same 'nothing staged: status after the stash of theirs' ' M mine' "$(git status --short)"
git -C "$T/agent" stash pop -q
same 'popped in the other worktree' ' M theirs' "$(git -C "$T/agent" status --short)"
git -C "$T/agent" reset -q --hard

echo 2 >theirs
git add mine
git stash push -q -- theirs
same 'mine staged: status after the stash of theirs' 'M  mine' "$(git status --short)"
same 'in the stash' 'mine theirs' "$(git stash show --name-only | paste -s -d ' ')"
git -C "$T/agent" stash apply -q
same 'applied in the other worktree' $' M mine\n M theirs' "$(git -C "$T/agent" status --short)"
echo 3 >mine
git commit -qam mine
code=0
git stash pop >"$T/log" 2>&1 || code=$?
same 'popped here after one more edit' 1 "$code"
same 'status' $'UU mine\nM  theirs' "$(git status --short)"
