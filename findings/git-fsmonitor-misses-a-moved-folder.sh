#!/usr/bin/env bash
# Guess: `core.fsmonitor=true`, which Linux has since git 2.55, makes `git status` fast and changes nothing that it says.
# What happens: the daemon watches each folder by the path that it had, and when a folder is moved, those below it keep their
# old ones. From then on no edit in them is seen until the daemon ends: `git status` says that all is clean, `git add -A`
# and `git commit -a` leave the edits out, and `git worktree remove`, without --force, deletes them. The files straight in
# the moved folder are seen.
# Who it hurts: anyone who set it for all repositories, as one does for large ones, and has agents that move folders. What
# they write there afterwards is in no commit and no diff.
# What to know: read the state of others' worktrees by `git -c core.fsmonitor=false`. After a move `git fsmonitor--daemon
# stop` helps: the next command starts one that looks afresh.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
git init -q -b main "$T/repo"
cd "$T/repo"
mkdir -p src/old/deep
echo 1 | tee src/old/near src/old/deep/far >/dev/null
git add .
git commit -qm start
git config --global core.fsmonitor true
git worktree add -q -b agent "$T/linked"
cd "$T/linked"
git status --short
daemon=$(pgrep -f "^$T/.* fsmonitor--daemon run")
trap 'kill "$daemon"; rm -rf "$T"' EXIT
same 'the daemon' "fsmonitor-daemon is watching '$T/linked'" "$(git fsmonitor--daemon status)"

# Waits until the daemon has told git of an edit of this file, which it hears of after all that came before.
heard_of() { while ! git diff --name-only | grep -q "^$1\$"; do sleep 0.1; done; }

git mv src/old src/new
git commit -qm move
echo changed >src/new/deep/far
echo changed >src/new/near
heard_of src/new/near
same 'git status' ' M src/new/near' "$(git status --short)"
same 'without the daemon' $' M src/new/deep/far\n M src/new/near' "$(git --no-optional-locks -c core.fsmonitor=false status --short)"
git add -A
git commit -qam work
same 'in the commit' src/new/near "$(git show --format= --name-only)"
same 'git status' '' "$(git status --short)"
git -C "$T/repo" worktree remove "$T/linked"
same 'after git worktree remove the folder is' gone "$([ -e "$T/linked" ] && echo there || echo gone)"
