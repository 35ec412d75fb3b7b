import type {CheckerRun, Looked} from '../../events/kinds/merge-event.ts';
import {counted} from '../../lib/text/counted.ts';
import {withoutStop} from '../../lib/without-stop.ts';
import {unreadText} from './unread-text.ts';

/** How a result was looked at for what breaks together, in words. */
export type LookedText = {
	readonly text: string;
	/** Whether it was looked at at all. */
	readonly done: boolean;
};

/** Returns that in words: that nothing was found is another sentence than that nobody looked. */
export const lookedText = (looked: Looked, accepted: number): LookedText => {
	if (looked.outcome === 'failed') {
		return {done: false, text: `Not compared: ${looked.why}`};
	}

	const {merges, unreadFiles = []} = looked;
	if (merges === 0) {
		return {done: true, text: 'Nothing to compare: only one side changed anything.'};
	}

	const found = accepted === 0 ? 'nothing breaks' : `nothing else breaks`;
	const unread = unreadText(unreadFiles);
	return {
		done: true,
		text: [
			`Compared ${counted(merges, 'merge')}: ${found}, by reading`,
			`${checkersText(looked.oracles)}.`,
			...(unread === undefined ? [] : [` ${unread}`]),
		].join(''),
	};
};

const checkersText = (oracles: readonly CheckerRun[]): string =>
	oracles.length === 0
		? ' alone; no type checker had a say'
		: oracles
				.map(({name, version, ms, failed}) =>
					failed === undefined
						? ` and by ${name} ${version} in ${(ms / 1000).toFixed(1)} s`
						: `; ${name} ${version} could not say: ${withoutStop(failed)}`,
				)
				.join('');
