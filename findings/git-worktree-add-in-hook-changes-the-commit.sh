#!/usr/bin/env bash
# Guess: a hook may make a worktree: to check what is staged beside the files that are being edited, or to compare with the
# base. The new worktree has an index of its own, so the commit that is being made is not touched.
# What happens: in a linked worktree `git worktree add` writes the files' list of the new worktree over the index of the commit,
# since the hook has its path in GIT_INDEX_FILE, and leaves the new worktree without one. The commit then has the tree of the
# other branch: what was staged isn't in it, and files that only this branch has are deleted, exit 0. In the main worktree,
# where that path is relative, `git worktree add` fails.
# Who it hurts: agents that commit in worktrees of a repository with such a hook, which was tried in the main checkout, or made
# for it: each of their commits puts the branch back to its base.
# What to know: `unset GIT_INDEX_FILE` before `git worktree add`.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
git init -q -b main "$T/repo"
cd "$T/repo"
echo 1 >old
git add .
git commit -qm start
git branch base
echo 1 >added
git add .
git commit -qm added
git worktree add -q -b agent "$T/agent"
cat >.git/hooks/pre-commit <<SH
#!/bin/sh
git worktree add -q --detach "$T/check" base 2>"$T/words"
echo "\$?" >"$T/code"
SH
chmod +x .git/hooks/pre-commit

cd "$T/agent"
echo 1 >new
git add new
same 'staged' 'A  new' "$(git status --short)"
git commit -qm new
same 'exit code of git worktree add in the hook' 0 "$(cat "$T/code")"
same 'what the commit changes' 'D added' "$(git show --format= --name-status | tr '\t' ' ')"
same 'what is left' $'?? added\n?? new' "$(git status --short)"
same 'state of the worktree that the hook made' $'D  old\n?? old' "$(git -C "$T/check" status --short)"

git worktree remove --force "$T/check"
cd "$T/repo"
echo 1 >new
git add new
git commit -qm new
same 'in the main worktree: exit code of git worktree add' 128 "$(cat "$T/code")"
same 'what it said' 'Not a directory' "$(grep -o 'Not a directory' "$T/words")"
same 'what the commit changes' 'A new' "$(git show --format= --name-status | tr '\t' ' ')"
