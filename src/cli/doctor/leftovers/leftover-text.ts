import {bytesText} from '../../../lib/text/bytes-text.ts';
import {elapsedMs} from '../../../lib/time.ts';
import type {Leftover} from './leftover.ts';

/** Returns what is left over in a few words: what it is, its size, its age, and what can become of it. */
export const leftoverText = (leftover: Leftover, now: Date): string => {
	const {text, bytes, session, verdict} = leftover;
	const size = bytes === 0 ? '' : `, ${bytesText(bytes)}`;
	const age =
		session === undefined ? '' : `, ${ageText(elapsedMs(session.endedAt, now.toISOString()))}`;
	return `${text}${size}${age}: ${verdict.kind === 'kept' ? `kept, ${verdict.why}` : safeText(verdict)}`;
};

const safeText = ({first}: Extract<Leftover['verdict'], {kind: 'safe'}>): string =>
	first === undefined ? 'safe to remove' : `safe to remove; ${first}`;

const ageText = (elapsed: number): string => {
	const days = Math.floor(elapsed / dayMs);
	if (days < 1) {
		return 'ended today';
	}

	return days === 1 ? 'ended yesterday' : `ended ${days} days ago`;
};

const dayMs = 86_400_000;

/** Returns how much can go and how much stays. */
export const sumText = (leftovers: readonly Leftover[]): string => {
	const [safe, kept] = (['safe', 'kept'] as const).map(kind =>
		amountText(leftovers.filter(({verdict}) => verdict.kind === kind)),
	);
	return `${safe} safe to remove, ${kept} kept`;
};

/** Returns how many there are and what they take on the disk. */
export const amountText = (leftovers: readonly Leftover[]): string => {
	const bytes = leftovers.reduce((sum, leftover) => sum + leftover.bytes, 0);
	return bytes === 0 ? `${leftovers.length}` : `${leftovers.length} (${bytesText(bytes)})`;
};
