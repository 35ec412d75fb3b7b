import {test} from 'vitest';
import {send} from '../../src/lib/process/processes.ts';
import {tell, times} from './figures.ts';
import {playScene, quiet} from './scenes.ts';
import {usualChoice} from './usual-choice.ts';

/** From too few for a program to start, to enough for most of what it does. */
const limits = Array.from({length: 45}, (_, index) => 20 + index).filter(
	limit => times({part: limit % 8 === 0 ? 1 : 0, deep: 1}) === 1,
);

/** What a person reads who looks why nothing goes on. */
const inTrouble = ['failure', 'verify', 'limit'];

test.each(limits)('with %i descriptors for its supervisor a session loses nothing', async limit => {
	let isLimited = true;
	await playScene(quiet, {
		starts: [{failpoint: 'after:turn.started:2'}, {descriptors: limit}],
		choose: (item, {waits}) => {
			// The person ends what can't work, and the next supervisor may open as many files as it likes.
			if (isLimited && inTrouble.includes(item.kind)) {
				isLimited = false;
				kill(waits.events('supervisor.started').at(-1)?.pid);
			}

			return usualChoice(item);
		},
	});
	tell('J, A, U, H, P', 'supervisors that may open only 20 to 64 files', 1);
});

/** One that may open few files may have ended by itself just before. */
const kill = (pid: number | undefined): void => {
	if (pid !== undefined) {
		send(pid, 'SIGKILL');
	}
};
