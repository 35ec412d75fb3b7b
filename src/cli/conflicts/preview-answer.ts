import {fetchPaper} from '../../client/papers/papers.ts';
import {exitCodes} from '../../lib/exit-codes.ts';
import {Failure} from '../../lib/failure.ts';
import {sanitize} from '../../lib/text/sanitize.ts';
import {itemOf} from '../../state/select.ts';
import type {Here, LastSession} from '../here.ts';
import {print, printJson} from '../output.ts';
import {askSupervisor} from '../reach-supervisor.ts';
import {checkOutcome} from './check-outcome.ts';

export type PreviewOptions = {
	readonly item: string;
	readonly choice: string;
	readonly json: boolean;
	/** Whether the check is to be run on it first. */
	readonly verify: boolean;
};

/**
Prints what a choice about a conflict would come to; nothing is decided by it.

@throws `Failure` when there is nothing to see before the choice is taken, or the item is no conflict.
*/
export const previewAnswer = async (
	here: Here,
	session: LastSession,
	{item, choice, json, verify}: PreviewOptions,
): Promise<void> => {
	const kind = itemOf(session.state, item)?.kind;
	if (kind !== undefined && kind !== 'conflict') {
		throw new Failure(
			'usage',
			`${item} is no conflict; only the choices of one can be looked at.`,
			{
				hint: 'delegate-tui inbox tells what each item is',
			},
		);
	}

	const checked = verify
		? await checkOutcome(here, session, {item, choice}, json ? () => {} : print)
		: undefined;
	if (checked !== undefined && checked.outcome !== 'green') {
		process.exitCode = exitCodes.refused;
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
			...(checked === undefined ? {} : {checked}),
			diff: lines.join('\n'),
		});
		return;
	}

	const told = [...(preview?.words ?? []), ...(remark === undefined ? [] : [remark]), '', ...lines];
	print(told.map(line => sanitize(line)).join('\n'));
};
