#!/usr/bin/env bash
# Guess: with reftable, the format of references that git 3.0 begins repositories with, worktrees get along as they do with
# files: two that move different branches don't meet, and one waits a moment where they do.
# What happens: all branches are behind one lock, which is held while the hook `reference-transaction` runs, and others wait a
# tenth of a second for it. So while one worktree commits and its hook takes longer than that, commit, branch and fetch in all
# other worktrees end with 128 or 251, "cannot lock references", and are not tried again. With files none of them waits.
# Who it hurts: agents in worktrees of one repository where a hook looks at or reports each move of a branch, as tools for
# stacked branches and for undo do: commits of the others fail by chance, and a failed commit looks like a fault of the work.
# What to know: set `reftable.lockTimeout` to some seconds, or to -1, by which git waits for as long as it takes.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55

run() {
	local code=0
	git "$@" >"$T/out" 2>&1 || code=$?
	printf 'exit %s%s' "$code" "$(grep -o 'cannot lock references' "$T/out" | head -n 1 | sed 's/^/, /')"
}

for format in files reftable; do
	git init -q -b main --ref-format="$format" "$T/$format"
	cd "$T/$format"
	git commit -qm start --allow-empty
	git branch -q upstream
	git worktree add -q -b agent "$T/$format-agent"
	mkfifo "$T/$format-held" "$T/$format-go"
	# It holds up a commit that asks for it, until it is told to go on.
	cat >.git/hooks/reference-transaction <<HOOK
#!/bin/sh
if [ "\$1" = prepared ] && [ -n "\${HOLD-}" ] && grep -q refs/heads; then
	echo held >'$T/$format-held'
	read -r go <'$T/$format-go'
fi
HOOK
	chmod +x .git/hooks/reference-transaction

	HOLD=yes git commit -qm held --allow-empty &
	read -r held <"$T/$format-held"
	cd "$T/$format-agent"
	seen=("$(run commit -m work --allow-empty)" "$(run branch another)" "$(run fetch . upstream:fetched)")
	git -c reftable.lockTimeout=-1 commit -qm patient --allow-empty &
	patient=$!
	echo go >"$T/$format-go"
	wait "$patient" && patient=0 || patient=$?
	wait
	expected=('exit 0' 'exit 0' 'exit 0')
	locked=', cannot lock references'
	[ "$format" = files ] || expected=("exit 128$locked" "exit 128$locked" "exit 251$locked")
	same "$format: commit in another worktree meanwhile" "${expected[0]}" "${seen[0]}"
	same "$format: branch" "${expected[1]}" "${seen[1]}"
	same "$format: fetch" "${expected[2]}" "${seen[2]}"
	same "$format: a commit that waits" 0 "$patient"
	same "$format: and the commit that was held up" held "$(git log -1 --format=%s main)"
done
