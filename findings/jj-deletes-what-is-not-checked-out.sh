#!/usr/bin/env bash
# Guess: jj's manual says that it doesn't support sparse checkouts of git's, so `jj git init` refuses one, warns, or takes the
# files that are not there for unchanged, as git does, whose index marks them.
# What happens: without a word jj takes each file that git has left out for deleted. The next `jj commit` deletes them, and so it
# is pushed. Git's own status in that folder is clean afterwards. In a linked worktree it is the same. And an edit that was kept
# out of commits by `git update-index --skip-worktree` is committed.
# Who it hurts: anyone who lets agents have a part of a large repository only, by `git sparse-checkout`, where an agent or a person
# uses jj: the commit has the change that was meant, and the rest of the repository is gone from it.
# What to know: `git sparse-checkout disable` before `jj git init`, then `jj sparse set`.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
install_jj jujutsu=0.46.0-2 12398e92c2cd992349b83f02823e10c616d85c20b3fe2107d3c32ca7118c3b11

git init -q -b main "$T/repo"
cd "$T/repo"
mkdir app lib
echo 1 | tee app/file lib/file lib/other >"$T/log"
git add .
git commit -qm start

# Has a part of the repository checked out in this folder, and jj commit a change of it.
use_jj() {
	git sparse-checkout set app
	same 'git status' '' "$(git status --short)"
	jj git init --colocate 2>"$T/log"
	same 'jj init warns of sparse checkouts' no "$(grep -qi sparse "$T/log" && echo yes || echo no)"
	echo 2 >app/file
	jj commit --quiet -m 'a change in app'
	same 'the commit' $'M\tapp/file\nD\tlib/file\nD\tlib/other' "$(git show --format= --name-status)"
	same 'git status' '' "$(git status --short)"
}

git worktree add -q --detach "$T/linked"
use_jj
cd "$T/linked"
echo 'in a linked worktree:'
use_jj

cd "$T/repo"
git sparse-checkout disable
git reset -q --hard main
git update-index --skip-worktree app/file
echo local >app/file
same 'git status of an edit that is to stay here' '' "$(git status --short)"
jj commit --quiet -m 'another change'
same 'the commit' $'M\tapp/file' "$(git show --format= --name-status)"

git clone -q -c advice.detachedHead=false "$T/repo" "$T/clone"
cd "$T/clone"
git reset -q --hard HEAD~1
jj git init --colocate 2>"$T/log"
jj sparse set --quiet --clear --add app
echo 2 >app/file
jj commit --quiet -m 'a change in app'
same "with jj's own sparse set the folder has" app "$(ls)"
same 'the commit' $'M\tapp/file' "$(git show --format= --name-status)"
