#!/usr/bin/env bash
# Guess: `git merge-tree --write-tree A B` reads nothing but the two commits and their base, since it needs no checkout.
# What happens: the .gitattributes that decide how files are merged are read from the worktree in which the command runs
# (in a bare repository from none), and not from A, B or their base. The same two commits merge cleanly from one
# worktree of a repository and conflict from another.
# Who it hurts: anyone who predicts in one worktree how the branches of other worktrees will merge, or keeps the answer
# under the two commit ids.
# What to know: the answer belongs to the commits and to the .gitattributes where it was asked. Ask in a worktree of the
# branch that will be merged into.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_39
git init -q -b main "$T/repo"
cd "$T/repo"
printf 'one\n' >CHANGES
git add .
git commit -qm one
git worktree add -q -b A "$T/a"
git worktree add -q -b B "$T/b"
(
	cd "$T/a"
	echo 'from A' >>CHANGES
	echo 'CHANGES merge=union' >.gitattributes
	git add .
	git commit -qm A
)
(
	cd "$T/b"
	echo 'from B' >>CHANGES
	git commit -qam B
)

asked_in() { git -C "$1" merge-tree --write-tree A B >"$T/out" && echo clean || echo "conflict, exit $?"; }
same 'asked in the worktree of A' clean "$(asked_in "$T/a")"
git show "$(head -1 "$T/out"):CHANGES"
same 'asked in the worktree of B' 'conflict, exit 1' "$(asked_in "$T/b")"
cat "$T/out"
git clone -q --bare "$T/repo" "$T/bare"
same 'asked in a bare clone' 'conflict, exit 1' "$(asked_in "$T/bare")"
