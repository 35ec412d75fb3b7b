#!/usr/bin/env bash
# Guess: with commit.gpgSign=true every commit that git makes is signed: `git rebase` signs what it rewrites. So do `git
# history` (since 2.54) and `git replay`, and notes follow rewritten commits where notes.rewriteRef says so, as with rebase and
# amend.
# What happens: the commits that they make have no signature, also where the ones that they take the place of had one, up to the
# tip of each branch that contains them, and exit code and output say nothing of it. Neither has an option to sign. Notes stay
# with the old commits, which no branch has any more.
# Who it hurts: anyone who amends an early commit by the command that was made for it: a server that wants signed commits refuses
# the push, of the agents' branches too; and what was noted on them (reviews, tests, which agent wrote a line) is lost.
# What to know: `git rebase --force-rebase` onto the commit before signs them again. Notes can be copied by `git notes copy`.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
cat >"$T/gpg" <<'SH'
#!/bin/sh
cat >/dev/null
echo '[GNUPG:] SIG_CREATED ' >&2
printf '%s\n' '-----BEGIN PGP SIGNATURE-----' '' lab '-----END PGP SIGNATURE-----'
SH
chmod +x "$T/gpg"
git init -q -b main "$T/repo"
cd "$T/repo"
git config gpg.program "$T/gpg"
git config commit.gpgSign true
git config notes.rewriteRef refs/notes/commits
for name in one two three; do
	echo "$name" >"$name"
	git add .
	git commit -qm "$name"
done
git notes add -m reviewed

# The newest two commits, whether each is signed, and its note.
state() {
	local id
	for id in HEAD~1 HEAD; do
		git log -1 --format=%s "$id"
		git cat-file commit "$id" | grep -q '^gpgsig ' && echo signed || echo unsigned
		git notes show "$id" 2>/dev/null || true
	done | paste -s -d ' '
}
same 'commits' 'two signed three signed reviewed' "$(state)"
git rebase -q --force-rebase HEAD~2
same 'after git rebase' 'two signed three signed reviewed' "$(state)"
echo fixed >two
git add two
git history fixup HEAD~1
same 'after git history fixup' 'two unsigned three unsigned' "$(state)"

git rebase -q --force-rebase HEAD~2
git notes add -m reviewed
git branch base HEAD~2
git switch -q base
git commit -q --allow-empty -m base
git switch -q main
git replay --onto base main~2..main
same 'after git replay' 'two unsigned three unsigned' "$(state)"
git rebase -q --force-rebase HEAD~2
same 'after git rebase --force-rebase' 'two signed three signed' "$(state)"
