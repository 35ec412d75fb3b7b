#!/usr/bin/env bash
# Guess: git keeps the branch of a worktree from being taken away: `git branch -D` refuses, a fetch refuses to move it, and
# a push refuses to delete it. So a fetch that prunes leaves it alone, or refuses.
# What happens: a fetch with --prune deletes it, exit 0, where its refspec writes branches, as that of `git clone --mirror`
# does. So does `git remote prune`. The worktree then stands on a branch that is not born: all of its files are new, and the
# next commit there is a root that shares no history with main, so that no merge takes it.
# Who it hurts: anyone who keeps a mirror and gives each agent a worktree of it, which is a common layout: one `git remote update
# --prune`, or a plain fetch with `fetch.prune` set, while they work, and the branches that were never pushed are gone.
# What to know: set the refspec of such a mirror to +refs/heads/*:refs/remotes/origin/*. The commit is still the newest line
# of the worktree's own reflog of HEAD.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
git init -q -b main "$T/origin"
cd "$T/origin"
echo 1 >file
git add .
git commit -qm start
git clone -q --mirror "$T/origin" "$T/mirror"

# Makes a worktree with one commit of its own.
make() {
	git -C "$T/mirror" worktree add -q --no-track -b "$1" "$T/$1" main
	cd "$T/$1"
	echo 2 >"work-$1"
	git add .
	git commit -qm "work of $1"
	cd "$T/mirror"
}
run() {
	local code=0
	git "$@" >"$T/out" 2>&1 || code=$?
	printf 'exit %s' "$code"
}
branches() { git for-each-ref --format='%(refname:short)' refs/heads | paste -s -d ' '; }

make one
same 'git branch -D' 'exit 1' "$(run branch -D one)"
same 'git push --delete' 'exit 1' "$(run push "$T/mirror" --delete one)"
git -C "$T/origin" branch one
same 'a fetch that would move it' 'exit 128' "$(run fetch --prune)"
git -C "$T/origin" branch -qD one
same 'branches' 'main one' "$(branches)"
same 'a fetch that prunes it' 'exit 0' "$(run fetch --prune)"
same 'branches' main "$(branches)"
same 'status in its worktree' $'## No commits yet on one\nA  file\nA  work-one' "$(git -C "$T/one" status --short --branch)"
same 'its last commit, by its reflog' 'work of one' "$(git show -s --format=%s "$(tail -n 1 worktrees/one/logs/HEAD | cut -d ' ' -f 2)")"
git -C "$T/one" commit -qm more
same 'common history of its next commit and main' '' "$(git merge-base one main || true)"

make two
same 'git remote prune' 'exit 0' "$(run remote prune origin)"
same 'branches' main "$(branches)"
git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'
make three
same 'with another refspec: a fetch that prunes' 'exit 0' "$(run fetch --prune)"
same 'branches' 'main three' "$(branches)"
