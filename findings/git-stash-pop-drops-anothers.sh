#!/usr/bin/env bash
# Guess: worktrees share one list of stashes, and `git stash pop` takes one entry from it: the one that it has applied. What
# another worktree stashes meanwhile it leaves alone, as it knows the id of its own entry, and prints it at the end.
# What happens: when it has written the files it drops by number. Where another worktree has stashed in between, that number is
# the other's new entry: pop says that it dropped its own, exit 0, and the other's changes are in no list, no log and no file.
# Its own entry is still there, and the next pop applies it a second time.
# Who it hurts: agents in worktrees of one repository that put work aside, where writing files takes a while: large files, Git
# LFS, any filter. The work of one is gone, and the other is told that all went well.
# What to know: `git stash create` and a ref for each worktree (refs/worktree/stash), or a commit. A lost entry is among what
# `git fsck --unreachable` lists, until `git gc`.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55

git init -q -b main "$T/repo"
cd "$T/repo"
echo 1 >file
git add .
git commit -qm start
git worktree add -q "$T/other"

# A filter for one file, which takes until the file `hold` is gone.
cat >"$T/slow" <<SH
#!/bin/sh
if [ -e "$T/hold" ]; then
	: >"$T/writing"
	while [ -e "$T/hold" ]; do sleep 0.05; done
fi
exec cat
SH
chmod +x "$T/slow"
git config filter.slow.smudge "$T/slow"
echo 'file filter=slow' >.git/info/attributes

echo mine >file
git stash push -q -m mine
mine=$(git rev-parse stash@{0})
: >"$T/hold"
git stash pop >"$T/pop" 2>&1 &
until [ -e "$T/writing" ] || ! kill -0 "$!" 2>"$T/log"; do sleep 0.05; done
echo other >"$T/other/new"
git -C "$T/other" stash push -q -u -m other
same 'the stashes while pop writes' $'On other: other\nOn main: mine' "$(git stash list --format=%gs)"
rm "$T/hold"
code=0
wait $! || code=$?
same 'exit code of pop' 0 "$code"
same 'what it says' "Dropped refs/stash@{0} ($mine)" "$(tail -n 1 "$T/pop")"
same 'the stashes afterwards' 'On main: mine' "$(git stash list --format=%gs)"
same 'files of the other worktree' 'file' "$(ls "$T/other")"
