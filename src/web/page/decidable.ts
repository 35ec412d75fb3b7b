import {createHash} from 'node:crypto';
import {choicesOf, type OfferedChoice} from '../../rules/commands/choices.ts';
import type {InboxItem} from '../../rules/inbox.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';

/** A choice, with the place by which a form names it. */
export type DecidableChoice = OfferedChoice & {
	readonly position: number;
	/** Set where it is decided beside files of this machine, and so not in a browser. */
	readonly needsFiles: boolean;
};

export type Decidable = {
	readonly choices: readonly DecidableChoice[];
	/** Stands for all that a person is shown of the item: another one, once anything of that has changed. */
	readonly seen: string;
};

/** Returns how an item of the inbox can be decided. */
export const decidable = (state: State, shown: InboxItem): Decidable => {
	const item = itemOf(state, shown.id);
	const choices = item === undefined ? [] : choicesOf(state, item);
	return {
		choices: choices.map((choice, position) => ({
			...choice,
			position,
			needsFiles: besideFiles.includes(choice.verb),
		})),
		seen: createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22),
	};
};

const besideFiles: readonly OfferedChoice['verb'][] = ['edit', 'manual', 'done'];
