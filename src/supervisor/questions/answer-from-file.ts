import {Failure} from '../../lib/failure.ts';
import {readDecision} from '../../rules/commands/read-decision.ts';
import {whyGone} from '../../rules/commands/why-not.ts';
import {itemOf} from '../../state/select.ts';
import type {Loop} from '../loop.ts';
import {withAnswer} from '../merging/gather.ts';
import type {World} from '../world.ts';

/** An answer that lay in a file. */
export type FileAnswer = {
	readonly item: string;
	readonly text: string;
	/** Id of the user whom the file belongs to. */
	readonly owner: number;
};

/**
Answers a question by a file; it decides nothing else.

@throws the reason against it
*/
export const answerFromFile = async (
	world: Pick<World, 'state' | 'folder'>,
	loop: Pick<Loop, 'ask'>,
	{item: id, text, owner}: FileAnswer,
): Promise<void> => {
	const state = world.state();
	const item = itemOf(state, id);
	if (item?.kind !== 'question') {
		throw new Failure('refused', whyGone(state, id));
	}

	const command = readDecision(state, item, {item: id, choice: text, by: 'file', owner});
	if (command?.kind !== 'decide') {
		throw new Failure('usage', `"${text.slice(0, 60)}" is not a choice for ${id}.`);
	}

	await loop.ask(await withAnswer(world, state, item, command));
};
