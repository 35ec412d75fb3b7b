#!/usr/bin/env bash
# Guess: `submodule.recurse=true`, which many people set for good, makes switch, reset and checkout take populated submodules
# along and pass over the others, as they do in a clone made without submodules. `git worktree add` populates none.
# What happens: in a linked worktree the first switch or `git reset --hard` to a commit with another commit of the submodule
# ends with 128, since the settings that all worktrees share call the submodule active, and its repository is not there. It
# leaves a `.git` file in the submodule's folder, and the folder to which that leads with no repository in it. From then on
# `git status` ends with 128 too, also with the setting off, and so does `git submodule update --init`.
# Who it hurts: agents in worktrees of a repository with submodules: a pull, a rebase or a reset takes git away from them,
# and the words ("not a git repository") suggest that the worktree itself is broken.
# What to know: remove the submodule's `.git` file, and what `git rev-parse --git-path modules/NAME` names. Once `git
# submodule update --init` has run in a new worktree, nothing breaks.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
export GIT_ALLOW_PROTOCOL=file

git init -q -b main "$T/lib"
cd "$T/lib"
echo old >version
git add .
git commit -qm old
git init -q -b main "$T/repo"
cd "$T/repo"
git submodule --quiet add "$T/lib" lib
git commit -qm 'with the old library'
git tag old
git commit -qm 'the same library' --allow-empty
git tag same
echo new >"$T/lib/version"
git -C "$T/lib" commit -qam new
git submodule --quiet update --remote 2>/dev/null
git commit -qam 'with the new library'
git config --global submodule.recurse true

# Runs git, and says how it ended.
run() {
	local code=0
	git "$@" >"$T/out" 2>&1 || code=$?
	printf 'exit %s' "$code"
}

same 'in the main checkout: switch' 'exit 0' "$(run switch -q --detach old)"
same 'its submodule is' old "$(cat lib/version)"
git switch -q main
git clone -q --no-recurse-submodules "$T/repo" "$T/clone"
cd "$T/clone"
same 'in a clone without submodules: switch' 'exit 0' "$(run switch -q --detach old)"
same 'status' 'exit 0' "$(run status)"

git -C "$T/repo" worktree add -q --detach "$T/linked" old
cd "$T/linked"
same 'in a linked worktree: switch to a commit with the same library' 'exit 0' "$(run switch -q --detach same)"
same 'switch to a commit with another' 'exit 128' "$(run switch -q --detach main)"
same 'it says' "fatal: not a git repository: ../../repo/.git/worktrees/linked/modules/lib" "$(head -n 1 "$T/out")"
same 'the submodule holds' .git "$(ls -A lib)"
same 'status' 'exit 128' "$(run status)"
git config --global submodule.recurse false
same 'status with the setting off' 'exit 128' "$(run status)"
same 'submodule update --init' 'exit 128' "$(run submodule update --init)"
rm lib/.git
same 'without that file: status' 'exit 0' "$(run status)"
same 'switch' 'exit 0' "$(run switch -q --detach main)"
same 'submodule update --init' 'exit 128' "$(run submodule update --init)"
rm -rf lib/.git "$(git rev-parse --git-path modules/lib)"
same 'and without the rest: submodule update --init' 'exit 0' "$(run submodule update --init)"
git config --global submodule.recurse true
same 'from then on, with the setting: switch' 'exit 0' "$(run switch -q --detach old)"
same 'the submodule is' old "$(cat lib/version)"
