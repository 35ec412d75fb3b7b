import type {MissedPath, WrongClaim} from '../../events/event.ts';
import type {HiddenWork} from '../../events/model-trouble.ts';
import type {TargetMove} from '../../events/target-move.ts';
import {counted, firstOf, shortOid} from '../../lib/text/words.ts';
import {summaryLength} from '../../signals/definitions/metadata.ts';
import {acceptedNotes} from '../merge/attribution.ts';
import {leftOutNotes} from '../merge/members.ts';
import {changedText, unsignedNotes} from '../merge/surface-notes.ts';
import {agentOf} from '../select.ts';
import type {State} from '../state.ts';
import {type Agent, lastSnapshot} from './agent.ts';
import {wrongClaims} from './compared.ts';

/** Returns notes on an agent's work to read before it is accepted, a sentence each. */
export const workNotes = (agent: Agent): readonly string[] => [
	...snapshotNotes(agent),
	...claimNotes(agent),
	...saidNotes(agent),
];

/** Returns the same for screens that list the wrong claims separately. */
export const notesBesideClaims = (agent: Agent): readonly string[] => [
	...snapshotNotes(agent),
	...saidNotes(agent),
];

const snapshotNotes = (agent: Agent): readonly string[] => [
	...(lastSnapshot(agent)?.notes ?? []),
	...unmergedNotes(agent),
];

/** Returns claims of its report that git does not confirm. */
const claimNotes = (agent: Agent): readonly string[] => {
	const wrong = wrongClaims(agent);
	const told = wrong.map(({claim, found}) => `${claim} (${foundWords(found)})`);
	return wrong.length === 0 ? [] : [`Wrong in its report: ${firstOf(told, mostListed)}.`];
};

const foundWords = (found: WrongClaim['found']): string => {
	switch (found) {
		case 'reverted':
			return 'reverted, out of its scope';
		case 'unchanged':
			return 'not changed';
		case 'failed':
		case 'passed':
			return `they ${found}`;
		case 'missing':
			return 'not there';
	}
};

/** Returns what its final report lacks, and messages that it never got. */
const saidNotes = ({outcome, subtask, updates, replies}: Agent): readonly string[] => {
	if (outcome === undefined) {
		return [];
	}

	const unsaid = subtask.expect.filter(name => !updates.markers.includes(name));
	return [
		...(unsaid.length === 0
			? []
			: [`The plan expects ${unsaid.join(', ')}, and it never said so.`]),
		...(updates.summary?.too_long
			? [`Its summary is longer than ${summaryLength} characters.`]
			: []),
		...replies.flatMap(({heading, text}) =>
			heading === 'MESSAGE'
				? [
						`It had finished before your message reached it: "${text}". It gets the message if you send it back.`,
					]
				: [],
		),
	];
};

/** Returns whether an agent's worktree has files that no merge of its work includes. */
export const hasLeftOut = (agent: Agent): boolean => unmergedNotes(agent).length > 0;

const unmergedNotes = (agent: Agent): readonly string[] => {
	const {missed = [], hidden = []} = lastSnapshot(agent) ?? {};
	return [...hidden.map(hiddenNote), ...missedNotes(missed)];
};

const hiddenNote = ({by, paths, count}: HiddenWork): string => {
	const are = count === 1 ? 'is' : 'are';
	const them = count === 1 ? 'it' : 'them';
	const why =
		by === 'rule'
			? `because its own ignore rule hides ${them}`
			: `because your ignore rules match ${them}, although its agent added ${them} by force`;
	return `${counted(count, 'file')} ${are} left out ${why}: ${firstOf(paths, mostHiddenListed, count)}.`;
};

const mostHiddenListed = 5;

/** Returns the same notes for a result that waits for approval; files that no snapshot has can't be in it. */
export const resultNotes = (state: State): readonly string[] => {
	const {merge} = state;
	if (!('built' in merge)) {
		return [];
	}

	const missed = merge.built.agents.flatMap(id => {
		const agent = agentOf(state, id);
		return (agent === undefined ? [] : unmergedNotes(agent)).map(note => `${id}: ${note}`);
	});
	const {gitSettings, moved} = merge.built;
	const changed = changedText(gitSettings);
	return [
		...leftOutNotes(merge.built.leftOut),
		...acceptedNotes(merge.built.accepted ?? []),
		...(moved === undefined ? [] : [movedText(state.session?.target ?? '', moved)]),
		...(changed === '' ? [] : [changed]),
		...unsignedNotes(merge.built),
		...writtenNotes(state),
		...(merge.built.notes ?? []),
		...missed,
	];
};

/** Returns a note on files written in the checkout by an unknown author. */
const writtenNotes = ({written}: State): readonly string[] =>
	written.length === 0
		? []
		: [
				`Written in your checkout while agents were at work, by you, one of your tools or an agent (nothing keeps agents from files outside their worktrees): ${firstOf(written, mostListed)}.`,
			];

const missedNotes = (missed: readonly MissedPath[]): readonly string[] => {
	const told = missed.slice(0, mostListed);
	const more = missed.length - told.length;
	return [
		...told.map(({path, why}) => `${path} is not in its work: ${reasons[why]}.`),
		...(more === 0 ? [] : [`${more} more paths are not in its work.`]),
	];
};

const mostListed = 10;

const reasons: Readonly<Record<MissedPath['why'], string>> = {
	special: 'it is a pipe, a socket or a device',
	unreadable: 'it can’t be read',
	long: 'its path is longer than the system allows',
	submodule:
		'a merge changes only the commit that a submodule is at, and no file inside it; commit it in the submodule’s own repository',
	name: 'git refuses its name',
	nested: 'it is a nested repository, which git can’t add',
};

/** Returns a sentence about the target's new commits since the session began. */
const movedText = (target: string, {base, rewritten, commits, more}: TargetMove): string => {
	const named = commits.map(
		({commit, author, subject}) => `${shortOid(commit)} ${author}: ${subject}`,
	);
	const list = [...named, ...(more === 0 ? [] : [`${more} more`])].join('; ');
	const behind = commits.length === 0 ? '' : `: ${list}`;
	const by = counted(commits.length + more, 'commit');
	return rewritten
		? `${target} was rewritten since the session began, and ${shortOid(base)} is no longer part of it; ${by} replaced it${behind}`
		: `${target} has moved since the session began, by ${by} from outside this session${behind}`;
};
