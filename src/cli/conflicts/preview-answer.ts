import {fetchPaper} from '../../client/papers/papers.ts';
import {Failure} from '../../lib/failure.ts';
import {sanitize} from '../../lib/text/sanitize.ts';
import {itemOf} from '../../state/select.ts';
import type {Here, LastSession} from '../here.ts';
import {print, printJson} from '../output.ts';
import {askSupervisor} from '../reach-supervisor.ts';

/**
Prints what a choice about a conflict would come to; nothing is decided by it.

@throws `Failure` when there is nothing to see before the choice is taken, or the item is no conflict.
*/
export const previewAnswer = async (
	here: Here,
	{state}: LastSession,
	{item, choice, json}: {readonly item: string; readonly choice: string; readonly json: boolean},
): Promise<void> => {
	const kind = itemOf(state, item)?.kind;
	if (kind !== undefined && kind !== 'conflict') {
		throw new Failure(
			'usage',
			`${item} is no conflict; only the choices of one can be looked at.`,
			{
				hint: 'delegate-tui inbox tells what each item is',
			},
		);
	}

	const paper = await fetchPaper(
		request => askSupervisor(here, request),
		`outcome:${item}:${choice}`,
	);
	if (paper.phase !== 'ready') {
		throw new Failure('internal', 'The supervisor gave an answer that says nothing.');
	}

	const {lines, remark, preview} = paper;
	if (json) {
		printJson({
			...{item, choice},
			...(preview === undefined ? {} : {preview}),
			...(remark === undefined ? {} : {remark}),
			diff: lines.join('\n'),
		});
		return;
	}

	const told = [...(preview?.words ?? []), ...(remark === undefined ? [] : [remark]), '', ...lines];
	print(told.map(line => sanitize(line)).join('\n'));
};
