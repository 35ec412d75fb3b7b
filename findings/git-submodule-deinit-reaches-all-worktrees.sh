#!/usr/bin/env bash
# Guess: `git submodule deinit` empties the submodule of the worktree in which it is called, as its own words say, and the
# way is free for `git worktree remove`, which refuses a worktree that contains submodules.
# What happens: it takes the submodule's section out of the configuration that all worktrees share. In the main checkout
# the submodule stays where it is, filled, and from then on `git submodule update` passes over it: no word, exit 0, and the
# files of another commit than the one checked out. `git submodule foreach` still enters it. And the worktree is refused
# as before, since the folder of its submodule's repository is still there.
# Who it hurts: anyone who tidies up agents' worktrees of a repository with submodules: elsewhere people and agents build with
# an old submodule after each switch or pull, and the command that is there to prevent it says that all is well.
# What to know: remove such worktrees with --force instead, and after a deinit run `git submodule init` in one worktree.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_39
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
echo new >"$T/lib/version"
git -C "$T/lib" commit -qam new
git submodule --quiet update --remote 2>/dev/null
git commit -qam 'with the new library'

# Checks a commit out and brings the submodule to it, as one does after each switch.
go_to() {
	git checkout -q "$1"
	local said code=0
	said=$(git submodule update 2>&1) || code=$?
	printf 'exit %s, %s, %s' "$code" "$([ -n "$said" ] && echo words || echo silence)" "$(cat lib/version)"
}

same 'in the main checkout, to the old commit' 'exit 0, words, old' "$(go_to HEAD~1)"
same 'and back' 'exit 0, words, new' "$(go_to main)"
git worktree add -q --detach "$T/linked"
git -C "$T/linked" submodule --quiet update --init
remove() { git worktree remove "$T/linked" 2>&1 || true; }
refusal='fatal: working trees containing submodules cannot be moved or removed'
same 'remove of a linked worktree' "$refusal" "$(remove)"
same 'deinit there' "Cleared directory 'lib'" "$(git -C "$T/linked" submodule deinit lib | head -n 1)"
same 'remove after it' "$refusal" "$(remove)"

same 'in the main checkout, to the old commit' 'exit 0, silence, new' "$(go_to HEAD~1)"
same 'git status there' ' M lib' "$(git status --short)"
same 'git submodule foreach there' new "$(git submodule --quiet foreach 'cat version')"
git submodule --quiet init
same 'after init' 'exit 0, words, old' "$(go_to HEAD)"
same 'remove with --force' '' "$(git worktree remove --force "$T/linked" 2>&1)"
