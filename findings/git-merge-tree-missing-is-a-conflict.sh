#!/usr/bin/env bash
# Guess: `git merge-tree --write-tree` says 1 where two commits conflict, and something else where it could not merge at
# all, as its manual has it. So exit code 1 means that there is a tree on the first line of the output.
# What happens: for a commit that isn't there, or a name that nothing has, it says 1 as well, and prints no tree. Other
# errors, such as histories without a common commit, say 128.
# Who it hurts: anyone who decides by the exit code whether a person has to resolve something: a branch that was deleted in
# another worktree, or an object that a shallow clone lacks, becomes a conflict without a file.
# What to know: take 1 for a conflict only where the first line is an object id.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_39
git init -q -b main "$T/repo"
cd "$T/repo"
write() { git checkout -q "$@" && printf '%s\n' "$word" >a.txt && git add a.txt && git commit -qm "$word"; }
word=base write --orphan main2
word=ours write -b ours
word=theirs write -b theirs main2
git checkout -q --orphan alone && git commit -qm alone
merge() { git merge-tree --write-tree "$@" 2>&1 && echo 'exit 0' || echo "exit $?"; }
kind() { sed -E 's/^[0-9a-f]{40}$/a tree/; s/[0-9a-f]{40}/ID/' | sed -n '1p;$p' | paste -sd ' '; }

same 'two that conflict' 'a tree exit 1' "$(merge ours theirs | kind)"
same 'one that is not there' 'merge-tree: ID - not something we can merge exit 1' \
	"$(merge ours 1111111111111111111111111111111111111111 | kind)"
same 'a branch that is gone' 'merge-tree: gone - not something we can merge exit 1' "$(merge ours gone | kind)"
same 'no common commit' 'fatal: refusing to merge unrelated histories exit 128' "$(merge ours alone | kind)"
