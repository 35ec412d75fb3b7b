import type {EventOf} from '../../../events/event.ts';
import {defined, isSame, omit} from '../../../lib/values.ts';
import type {ItemOf, OutcomeCheck, SettlingChoice} from '../../item.ts';
import {failedCommand, portsText} from '../../merge/checked-result.ts';
import {withCheckedTree} from '../../merge/parts.ts';
import {itemOf} from '../../select.ts';
import {type State, withReplaced} from '../../state.ts';
import type {ArbiterChoice} from './arbiter.ts';

/** Has the result of a choice checked; null stops the check. */
export type CheckChoice = {readonly verb: 'check'; readonly of: SettlingChoice | null};

/** Returns the words to type for checking the result of a choice, given as its own words. */
export const checkWords = (of: string | null): string => `check:${of ?? 'none'}`;

/** Returns the words of the choice to be checked, or null to stop; nothing for any other text. */
export const checkedIn = (text: string): string | null | undefined => {
	const [, of] = /^check:(.+)$/s.exec(text) ?? [];
	return of === 'none' ? null : of;
};

export const outcomeCheckName = ({since}: Pick<OutcomeCheck, 'since'>): string =>
	`${since}-outcome`;

/** Starts a check of a choice's result, or stops it. */
export const withOutcomeCheck = (
	state: State,
	{checking: _, ...item}: ItemOf<'conflict'>,
	{of}: CheckChoice,
	since: number,
): State => withReplaced(state, of === null ? item : {...item, checking: {choice: of, since}});

/** Records the check of a choice's result; it holds for any result with the same tree. */
export const outcomeChecked = (state: State, event: EventOf<'outcome.checked'>): State => {
	const {conflict, since, ...result} = omit(event, 'kind', 'seq', 'at', 'choice');
	const {tree, outcome, commands, log, places} = result;
	const ran = {ran: {commands, log}, ...defined({places})};
	const seen =
		tree === null || outcome === 'unclear' || commands.length === 0
			? state
			: withCheckedTree(state, {tree, ok: outcome === 'green', ...ran});
	const item = itemOf(seen, conflict);
	return item?.kind === 'conflict' && item.checking?.since === since
		? withReplaced(seen, {...item, checking: {...item.checking, result}})
		: seen;
};

/** Returns sentences about a checked result; nothing if the choice now leads to another tree. */
export const outcomeCheckText = (
	{checking}: ItemOf<'conflict'>,
	choice: ConflictChoice,
	tree: string,
): readonly string[] => {
	const result = checking?.result;
	if (checking === undefined || !isSame(checking.choice, choice)) {
		return [];
	}

	if (result === undefined) {
		return ['Its check is running.'];
	}

	if (result.outcome === 'unclear') {
		return [`It could not be checked: ${result.why ?? 'the check gave no result.'}`];
	}

	return result.put === tree ? [...result.left, verdictText(result)] : [];
};

const verdictText = ({
	outcome,
	commands,
	places = [],
}: NonNullable<OutcomeCheck['result']>): string => {
	if (commands.length === 0) {
		return 'The plan has no verify command to run on it.';
	}

	const [place] = places;
	return outcome === 'green'
		? `Checked: ${commands.map(({command}) => `\`${command}\``).join(', ')} passed${portsText({commands})}. If the result is the same, it is not checked again.`
		: `The check fails on it: ${failedCommand({commands})}${place === undefined ? '' : `, at ${place.path}:${place.line}`}.`;
};

export type ConflictChoice = SettlingChoice | CheckChoice | ArbiterChoice;
