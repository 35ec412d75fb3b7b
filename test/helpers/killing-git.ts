import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {script} from './repository.ts';

/** A git in front of the real one that kills it, and records whether it did. */
export type KillingGit = {
	/** Kills each git with this word among its arguments, or any git, a time after its start; with 0 ms before it does anything. */
	readonly arm: (word: string | undefined, afterMs: number) => void;
	readonly disarm: () => void;
	/** Returns the number of killed ones so far; the others had ended before. */
	readonly struck: () => number;
};

export type KillingGitOptions = {
	/** True if it stops after the first kill. */
	readonly once: boolean;
};

/**
Makes such a git in a folder for the front of a PATH.

The orders are in files, since a sealed git does not inherit our environment. The real git is a child, so that its exit code is visible: 137 is a shell's code for SIGKILL, which the caller gets, too. Two processes have no fixed order, so a git that is to die at once is not started at all: that kill is certain.
*/
export const makeKillingGit = (folder: string, {once}: KillingGitOptions): KillingGit => {
	const [orders, struck] = [join(folder, 'orders'), join(folder, 'struck')];
	const real = execFileSync('sh', ['-c', 'command -v git'], {encoding: 'utf8'}).trim();
	script(
		join(folder, 'git'),
		`if ! read -r after word 2>/dev/null <${orders}; then
	exec ${real} "$@"
fi
case " $* " in
*" $word "*) ;;
*) [ -z "$word" ] || exec ${real} "$@" ;;
esac
die() {
	echo >>${struck}
	${once ? `rm -f ${orders}` : ':'}
	kill -9 $$
}
[ "$after" != 0 ] || die
exec 3<&0
${real} "$@" <&3 3<&- &
git=$!
{ sleep "$after"; kill -9 $git; } </dev/null >/dev/null 2>&1 3<&- &
killer=$!
exec 3<&-
wait $git
code=$?
[ $code != 137 ] || die
kill -9 $killer 2>/dev/null
exit $code`,
	);
	return {
		arm: (word = '', afterMs) => {
			writeFileSync(orders, `${(afterMs / 1000).toFixed(6).replace(/^0\.0+$/, '0')} ${word}\n`);
		},
		disarm: () => rmSync(orders, {force: true}),
		struck: () => (existsSync(struck) ? readFileSync(struck, 'utf8').length : 0),
	};
};
