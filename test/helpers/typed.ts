import type {Command, TypedDecision} from '../../src/rules/commands/command.ts';
import {readDecision} from '../../src/rules/commands/read-decision.ts';
import {whyGone} from '../../src/rules/commands/why-not.ts';
import type {Seen} from '../../src/state/items/kind.ts';
import {itemOf} from '../../src/state/select.ts';
import type {State} from '../../src/state/state.ts';

/** A decision in a test: in words, with the facts that the supervisor would gather. */
export type Typed = TypedDecision & {readonly kind: 'decide'; readonly seen?: Seen};

/** Returns the command of a test, or the reason why the words are none. */
export const commandOf = (state: State, asked: Command | Typed): Command | string => {
	if (!isTyped(asked)) {
		return asked;
	}

	const {kind: _, seen, ...typed} = asked;
	const item = itemOf(state, asked.item);
	const command = item && readDecision(state, item, typed);
	if (item === undefined || command === undefined) {
		return item === undefined
			? whyGone(state, asked.item)
			: `"${asked.choice}" is not a choice for ${asked.item}.`;
	}

	return command.kind === 'decide' && seen !== undefined ? {...command, seen} : command;
};

/** Returns the command of a test; throws if the words are none. */
export const requireCommand = (state: State, asked: Typed): Command => {
	const command = commandOf(state, asked);
	if (typeof command === 'string') {
		throw new Error(command);
	}

	return command;
};

const isTyped = (asked: Command | Typed): asked is Typed =>
	asked.kind === 'decide' && typeof asked.choice === 'string';
