#!/usr/bin/env bash
# Guess: `git fetch --depth=1 origin main` in a repository that has all of its history downloads little, or nothing, and takes
# nothing away: the manual says that the depth limits what is fetched. `git fetch --deepen=1` takes nothing away either.
# What happens: it marks the tip of main as a commit without parents, in a file that all worktrees share. The local main then
# has a single commit, in every worktree; it has no common commit with the agents' branches, and a merge is refused as one of
# unrelated histories. `git worktree add` and `git log` say nothing. A clone that is made of this repository has no more either.
# Who it hurts: anyone who has a script of their CI's, or an agent, fetch the base like that, "to be quick", in a worktree of a
# full clone: branches that were merged without trouble an hour ago are strangers to main.
# What to know: `git fetch --unshallow`, which has to reach the server, brings it back, as nothing is removed until `git gc`.
# Look by `git rev-parse --is-shallow-repository`.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55

git init -q -b main "$T/origin"
cd "$T/origin"
for number in 1 2 3 4; do
	echo "$number" >file
	git add .
	git commit -qm "$number"
done
git clone -q "file://$T/origin" "$T/repo"
cd "$T/repo"
git worktree add -q -b agent "$T/agent" HEAD~1
cd "$T/agent"
echo 1 >work
git add .
git commit -qm work
git worktree add -q -b other "$T/other" main

commits() { git -C "$T/$1" rev-list --count "$2"; }
git fetch -q --deepen=1 origin main
same 'commits of main after a fetch with --deepen=1' 4 "$(commits repo main)"
git fetch -q --depth=1 origin main
same 'after one with --depth=1 in a worktree' 1 "$(commits repo main)"
same 'commits of the branch of another worktree' 1 "$(commits other other)"
same "commits of the agent's branch" 4 "$(commits agent agent)"
code=0
git merge-base main agent || code=$?
same 'exit code of git merge-base' 1 "$code"
same 'a merge' 'fatal: refusing to merge unrelated histories' "$(git -C "$T/repo" merge agent 2>&1)"
git clone -q "$T/repo" "$T/copy"
same 'commits of main in a clone of it' 1 "$(commits copy main)"
git fetch -q --unshallow
same 'after a fetch with --unshallow' 4 "$(commits repo main)"
