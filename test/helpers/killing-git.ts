import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {script} from './repository.ts';

/** A git in front of the real one that kills it, and knows whether it did. */
export type KillingGit = {
	/** From now on each git with this word among its arguments is killed so long after its start, after 0 ms before it does anything; without a word, each git is. */
	readonly arm: (word: string | undefined, afterMs: number) => void;
	readonly disarm: () => void;
	/** How many have really died of it so far; the others had come to their end before. */
	readonly struck: () => number;
};

export type KillingGitOptions = {
	/** Whether it stops once one has died. */
	readonly once: boolean;
};

/**
Makes such a git in a folder, which is to be put in front of a PATH.

What to do is in files, since a sealed git gets nothing of our environment. The real git is a child and not what this one becomes, so that its end can be looked at: 137 is what a shell says of a SIGKILL. Whoever asked for it is told the same. Which of two processes comes first is the machine's choice, so a git that is to die at once is not started at all: that one is struck for certain.
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
