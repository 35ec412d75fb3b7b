#!/usr/bin/env bash
# Guess: hooks belong to the repository, so a commit that the pre-commit hook refuses in the main worktree is refused in a
# linked worktree of it, too, or the hook manager says there that it isn't set up.
# What happens: with simple-git-hooks, prek and lefthook it is refused in both. With husky the commit goes through in the
# linked worktree, without a word: husky sets core.hooksPath to the relative folder `.husky/_`, which git looks for in each
# worktree, and which husky itself has git ignore, so that no new worktree has it. `.husky/pre-commit` is tracked and there.
# Who it hurts: anyone who lets agents commit in worktrees of a repository whose hooks keep secrets or broken code out.
# What to know: run the repository's `prepare` script (or `npx husky`) in each new worktree before anything commits there.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
path=$PATH
install husky@9.1.7 lefthook@2.2.2 simple-git-hooks@2.14.0 @j178/prek@0.5.3
own_home
tools=$PATH
export SAW=$T/saw

# Sets a manager up in a new repository, with a hook that refuses each commit.
repository() {
	git init -q -b main "$T/$1"
	cd "$T/$1"
	# As an installation in the repository would: a linked worktree has none.
	ln -s "$T/node_modules" node_modules
	printf 'node_modules\n' >.gitignore
	case $1 in
		husky)
			husky
			printf 'echo ran >"$SAW"; exit 1\n' >.husky/pre-commit
			;;
		lefthook)
			printf 'pre-commit:\n  commands:\n    refuse:\n      run: echo ran >"$SAW"; exit 1\n' >lefthook.yml
			lefthook install
			;;
		simple-git-hooks)
			printf '{"simple-git-hooks": {"pre-commit": "echo ran >$SAW; exit 1"}}' >package.json
			simple-git-hooks
			;;
		prek)
			printf '%s\n' 'repos:' '- repo: local' '  hooks:' '  - {id: refuse, name: refuse, language: system,' \
				'     entry: sh -c "echo ran >$SAW; exit 1"}' >.pre-commit-config.yaml
			prek install
			;;
	esac >/dev/null 2>&1
	git add -A
	git commit -qnm start
}

# Commits a new file, and says whether the hook ran, what became of the commit, and whether anything was printed.
try_commit() {
	rm -f "$SAW"
	echo new >"$1"
	git add "$1"
	git commit -qm new >"$T/out" 2>&1 && result=committed || result=refused
	printf '%s, %s, %s' "$(cat "$SAW" 2>/dev/null || echo 'did not run')" "$result" "$([ -s "$T/out" ] && echo words || echo silence)"
}

for manager in husky lefthook simple-git-hooks prek; do
	PATH=$tools
	repository "$manager"
	PATH=$path
	said=$([ "$manager" = simple-git-hooks ] && echo silence || echo words)
	same "$manager in the main worktree" "ran, refused, $said" "$(try_commit in-main)"
	git worktree add -q "$T/$manager-linked"
	cd "$T/$manager-linked"
	case $manager in
		husky) same "$manager in a linked worktree" 'did not run, committed, silence' "$(try_commit in-linked)" ;;
		*) same "$manager in a linked worktree" "ran, refused, $said" "$(try_commit in-linked)" ;;
	esac
done
cd "$T/husky-linked"
same 'core.hooksPath that husky has set' .husky/_ "$(git config core.hooksPath)"
same 'in the linked worktree there is' pre-commit "$(ls .husky)"
