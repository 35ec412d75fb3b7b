#!/usr/bin/env bash
# Guess: several `git worktree add` at once in one repository get along, since each writes a folder of its own; and one that was
# killed leaves at most a folder that `git worktree prune` removes.
# What happens: there is a moment in which the new worktree's file commondir is there and empty. Every git command that looks
# at all worktrees ends with 128 while it lasts ("failed to read …/commondir: Success"): another add, list, remove, `git
# branch -D` and a fetch. If the add is killed in that moment, it lasts for good. Prune says nothing, exit 0, and leaves it,
# as the worktree is locked; unlock and remove --force fail too, and `git gc` no longer collects.
# Who it hurts: anyone who makes the worktrees of several agents at once: now and then one fails, with words that help nobody.
# What to know: make them one after the other, or try again. After a kill remove .git/worktrees/NAME by hand.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
install_debian s/strace strace_6.1-0.1 1942d086a6244a1a9643489d3b0aa604ac44b88991d6c69217a63a193671bd4f
install_debian libu/libunwind libunwind8_1.6.2-3 7b297868682836e4c87be349f17e4a56bc287586e3576503e84a5cb5485ce925
use_unpacked_libraries "$T/debian/usr/bin/strace"
git init -q -b main "$T/repo"
cd "$T/repo"
git commit -qm start --allow-empty
git branch -q spare

# Adds a worktree, and sends a signal once its commondir is open and before it is written.
moment=(strace -qq -o "$T/trace" -P "$T/repo/.git/worktrees/first/commondir" -P .git/worktrees/first/commondir)
add=(git worktree add -q "$T/first")
run() {
	local code=0
	git "$@" >"$T/out" 2>&1 || code=$?
	printf 'exit %s%s' "$code" "$(grep -o ' failed to read .*' "$T/out" | head -n 1 | sed "s|$T/repo/||; s/^/,/")"
}
stopped='exit 128, failed to read .git/worktrees/first/commondir: Success'

"${moment[@]}" -e inject=openat:signal=STOP:when=1 "${add[@]}" &
tracer=$!
until adder=$(pgrep -P "$tracer") && grep -q '^State:.*stop' "/proc/$adder/status" && [ -e .git/worktrees/first/commondir ]; do
	kill -0 "$tracer"
	sleep 0.1
done
seen=("$(cat .git/worktrees/first/commondir)" "$(run worktree add "$T/second")" "$(run worktree list)")
kill -CONT "$adder"
wait "$tracer"
same 'its commondir' '' "${seen[0]}"
same 'another add at that moment' "$stopped" "${seen[1]}"
same 'list' "$stopped" "${seen[2]}"
same 'afterwards: list' 'exit 0' "$(run worktree list)"
same 'another add' 'exit 0' "$(run worktree add "$T/third")"
git worktree remove "$T/first"
git branch -qD first

code=0
sh -c '"$@"; exit $?' sh "${moment[@]}" -e inject=write:signal=KILL "${add[@]}" 2>"$T/log" || code=$?
same 'an add that is killed in that moment' 137 "$code"
same 'another add' "$stopped" "$(run worktree add "$T/fourth")"
same 'branch -D' "$stopped" "$(run branch -D spare)"
same 'fetch' "${stopped/128/1}" "$(run fetch . main)"
same 'gc' "$stopped" "$(run gc)"
same 'prune' 'exit 0' "$(run worktree prune --verbose --expire=now)"
same 'it says' '' "$(cat "$T/out")"
same 'unlock' "$stopped" "$(run worktree unlock "$T/first")"
same 'remove --force --force' "$stopped" "$(run worktree remove --force --force "$T/first")"
rm .git/worktrees/first/locked
same 'prune of what is no longer locked' 'exit 0' "$(run worktree prune --verbose --expire=now)"
same 'list' "$stopped" "$(run worktree list)"
rm -r .git/worktrees/first
same 'without that folder: list' 'exit 0' "$(run worktree list)"
