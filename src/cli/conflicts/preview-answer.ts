import {fetchResource} from '../../client/resources/resources.ts';
import type {Subject} from '../../control/subject.ts';
import {defined} from '../../lib/defined.ts';
import {exitCodes} from '../../lib/exit-codes.ts';
import {Failure} from '../../lib/failure.ts';
import {sanitize} from '../../lib/text/sanitize.ts';
import type {Item} from '../../state/item.ts';
import {readChoice} from '../../state/items.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
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
Prints what a choice about a conflict would come to, or what a worktree would be set back by; nothing is decided by it.

@throws `Failure` when there is nothing to see before the choice is taken.
*/
export const previewAnswer = async (
	here: Here,
	session: LastSession,
	{item, choice, json, verify}: PreviewOptions,
): Promise<void> => {
	const found = itemOf(session.state, item);
	const what = whatToShow(session.state, found, {item, choice});
	const checked =
		verify && (found === undefined || found.kind === 'conflict')
			? await checkOutcome(here, session, {item, choice}, json ? () => {} : print)
			: undefined;
	if (checked !== undefined && checked.outcome !== 'green') {
		process.exitCode = exitCodes.refused;
	}

	const {lines, remark, preview} = await fetchResource(
		request => askSupervisor(here, request),
		what,
	);
	if (json) {
		printJson({
			...{item, choice},
			...defined({preview, remark, checked}),
			diff: lines.join('\n'),
		});
		return;
	}

	const told = [...(preview?.words ?? []), ...(remark === undefined ? [] : [remark]), '', ...lines];
	print(told.map(line => sanitize(line)).join('\n'));
};

/** Of an agent only that can be seen before what its worktree is set back by. */
const whatToShow = (
	state: State,
	item: Item | undefined,
	{item: id, choice}: Pick<PreviewOptions, 'item' | 'choice'>,
): Subject => {
	const read = item && readChoice(state, item, choice);
	if (item !== undefined && 'agent' in item && read !== undefined && 'snapshot' in read) {
		return {of: 'restore', agent: item.agent, snapshot: read.snapshot};
	}

	if (item !== undefined && item.kind !== 'conflict') {
		throw new Failure(
			'usage',
			`There is nothing to see of "${choice}" for ${id} before it is taken.`,
			{
				hint: 'choices about a conflict can be looked at, and those that set a worktree back',
			},
		);
	}

	return {of: 'outcome', item: id, choice};
};
