import {blockLines} from '../../../client/texts/block.ts';
import {describe} from '../../../client/texts/describe.ts';
import type {Claim} from '../../../events/event.ts';
import {conflictText} from '../../../git/merge/conflict-text.ts';
import {patch} from '../../../git/tree/graft.ts';
import {sentenceCase, shortOid} from '../../../lib/text/words.ts';
import {inbox} from '../../../rules/inbox.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import type {Item, ItemOf} from '../../../state/item.ts';
import {isBreakage} from '../../../state/items/conflict/breakage.ts';
import {kindOf} from '../../../state/items.ts';
import {agentOf} from '../../../state/select.ts';
import type {Session, State} from '../../../state/state.ts';
import {sidesOf} from '../../../supervisor/perform/resolution.ts';
import {collidedLines, patchedLines} from './event-passage.ts';
import {quotedText, type Stage, type StoryPassage, wrap} from './page.ts';

/** Returns what a person should see of an item before deciding it. */
export const itemPassage = async (
	item: Item,
	state: State,
	stage: Stage,
): Promise<StoryPassage> => {
	switch (item.kind) {
		case 'review': {
			const agent = agentOf(state, item.agent);
			const claims = agent?.snapshots.at(-1)?.claims ?? [];
			return {
				chapter: 'Finished work is reviewed',
				lines: [
					`  ${item.agent}  reports success; its claims, looked up in a snapshot of its work:`,
					...quotedText(claims.map(claimLine).join('\n')),
					...(agent === undefined ? [] : await joined(agent, stage)),
				],
			};
		}

		case 'conflict':
			return conflict(item, stage);
		case 'approval':
			return approval(item, state, stage);
		default:
			return {chapter: sentenceCase(kindOf(item).called), lines: shownLines(item, state)};
	}
};

/** Tells an item as "delegate-tui inbox" does. */
const shownLines = ({id}: Item, state: State): readonly string[] =>
	inbox(state)
		.filter(item => item.id === id)
		.flatMap(item => {
			const {agent, title} = item;
			return [
				...wrap(agent === undefined ? title : `${agent}  ${title}`, '  '),
				...quotedText(blockLines(describe(item)).join('\n')),
			];
		});

const claimLine = ({claim, holds, found}: Claim): string =>
	holds ? `✓ ${claim}` : `✗ ${found}: ${claim}`;

/** What became of the files that held conflict markers, on top of the other agent's work. */
const joined = async ({snapshots}: Agent, {store}: Stage): Promise<readonly string[]> => {
	const snapshot = snapshots.at(-1);
	if (snapshot === undefined || snapshot.startingPoint.conflicts.length === 0) {
		return [];
	}

	const {base, conflicts, onto} = snapshot.startingPoint;
	const changes = patchedLines(await patch(store, base, snapshot.work), conflicts);
	return [`  ${conflicts.join(', ')} on top of ${onto.join(' and ')}:`, ...quotedText(changes)];
};

const conflict = async (item: ItemOf<'conflict'>, {store}: Stage): Promise<StoryPassage> => {
	const [a, b] = [item.a.join('+'), item.b.join('+')];
	if (isBreakage(item)) {
		return {
			chapter: 'A collision that git does not see',
			lines: collidedLines(item, {a, b}),
		};
	}

	const merged = await conflictText(store, sidesOf(item));
	return {
		chapter: 'A collision',
		lines: [
			`  ${a} and ${b} changed the same lines of ${item.path}:`,
			...quotedText(merged.kind === 'text' ? conflicted(merged.text.toString()) : item.summary),
		],
	};
};

/** From the first mark to the last. */
const conflicted = (text: string): string => {
	const lines = text.split('\n');
	const isMark = (line: string): boolean => /^[<>]{7}/.test(line);
	return lines.slice(lines.findIndex(isMark), lines.findLastIndex(isMark) + 1).join('\n');
};

const approval = async (
	item: ItemOf<'approval'>,
	{session, merge}: State,
	{store}: Stage,
): Promise<StoryPassage> => {
	const [summary = ''] = (await patch(store, item.tip, item.commit)).split('\n\n');
	return {
		chapter: 'The approval',
		lines: [
			...wrap(boundTo(item, session), '  '),
			`  The check ${merge.phase === 'verified' && merge.verified.ok ? 'passed' : 'did not pass'}. What would change:`,
			...quotedText(summary),
		],
	};
};

const boundTo = ({commit, tip}: ItemOf<'approval'>, session: Session | null): string =>
	`It holds for exactly this: the result ${shortOid(commit)}, on ${session?.target ?? ''} as it is at ${shortOid(tip)}. If either changes, it is void.`;
