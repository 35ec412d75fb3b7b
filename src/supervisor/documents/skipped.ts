import type {Skipped} from '../../state/skipped.ts';
import {inline} from './text.ts';

/** Returns what `SKIPPED_ITEMS.md` says: all that agents were told to skip. */
export const skippedText = (skipped: readonly Skipped[]): string =>
	`# Skipped items\n\n${skipped.map(lineOf).join('')}`;

const lineOf = ({at, agent, item, what, why, note}: Skipped): string =>
	`- ${at} ${agent} (${item}): ${[
		inline(what),
		...(why === what ? [] : [`because: ${inline(why)}`]),
		...(note === undefined ? [] : [`note: ${inline(note)}`]),
	].join('; ')}\n`;
