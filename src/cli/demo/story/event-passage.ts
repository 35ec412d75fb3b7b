import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {eventText} from '../../../client/texts/event-text.ts';
import type {Event, EventOf} from '../../../events/event.ts';
import type {Evidence, Finding} from '../../../events/finding.ts';
import {shortOid} from '../../../lib/text/words.ts';
import type {Signal} from '../../../signals/index.ts';
import {agentOf} from '../../../state/select.ts';
import type {State} from '../../../state/state.ts';
import {quotedText, type Stage, type StoryPassage, wrap} from './page.ts';

/** Returns what the story tells of an event; nothing when an inbox item tells it, or when it only matters to machines. */
export const eventPassage = async (
	event: Event,
	state: State,
	stage: Stage,
): Promise<StoryPassage | undefined> => {
	switch (event.kind) {
		case 'turn.started':
			return event.prompt === 'launch'
				? {
						chapter: 'The agents at work, each in a git worktree of its own',
						lines: [
							`  ${event.agent}  starts: ${agentOf(state, event.agent)?.subtask.subtask ?? ''}`,
						],
					}
				: startedAgain(event, stage);
		case 'signal.said':
			return said(event, event.signal);
		case 'scope.left':
			return event.change === 'refused' ? refused(event) : scopeLeft(event, stage);
		case 'work.compared':
			return collided(event);
		case 'workspace.prepared':
			return event.conflicts.length > 0 && event.rebuilt === undefined
				? reworked(event)
				: undefined;
		case 'verify.ended':
			return verified(event, stage);
		case 'merge.published':
			return {
				chapter: 'The merge',
				lines: [
					`  ${state.session?.target ?? ''} is at ${shortOid(event.commit)} now, by one fast-forward; the checkout went along.`,
				],
			};
		case 'turn.ended':
			return event.end.by === 'exit' && event.end.code === 0 ? undefined : asLogged(event);
		case 'agent.moved':
			return event.to === 'FAILED' ? asLogged(event) : undefined;
		case 'outcome.checked':
		case 'effect.failed':
		case 'merge.refused':
			return asLogged(event);
		default:
			return undefined;
	}
};

const asLogged = (event: Event): StoryPassage => ({lines: [`  ${eventText(event)}`]});

/** The first paragraph of its prompt is the decision, as the agent reads it. */
const startedAgain = async (
	{agent, turn}: EventOf<'turn.started'>,
	{session}: Stage,
): Promise<StoryPassage> => {
	const prompt = await readFile(session.agent(agent).prompt(turn), 'utf8');
	const [decision = ''] = prompt.split('\n\n');
	return {lines: [`  ${agent}  goes on; its new prompt begins:`, ...quotedText(decision)]};
};

const said = (event: EventOf<'signal.said'>, signal: Signal): StoryPassage | undefined => {
	switch (signal.kind) {
		case 'progress':
			return {lines: [`  ${event.agent}  ${signal.phase}: ${signal.status}`]};
		case 'finding':
			return {lines: wrap(`${event.agent}  found out: ${signal.finding}`, '  ')};
		case 'error':
		case 'malformed':
			return asLogged(event);
		default:
			return undefined;
	}
};

const refused = ({agent, path, why}: EventOf<'scope.left'>): StoryPassage => ({
	lines: [`  ${agent}  asks before it acts, and is refused ${path}: ${why}`],
});

const scopeLeft = async (event: EventOf<'scope.left'>, {session}: Stage): Promise<StoryPassage> => {
	const patch = await readFile(join(session.path, event.patch), 'utf8');
	return {
		chapter: 'An edit outside the scope',
		lines: [
			...wrap(
				`${event.agent}  changed ${event.path}, of which its scope says: ${event.why}. The file was reverted in its worktree, and the change can’t get into a merge. It is not lost, either; it is kept as a patch:`,
				'  ',
			),
			...quotedText(patchedLines(patch)),
		],
	};
};

const collided = ({a, b, findings}: EventOf<'work.compared'>): StoryPassage | undefined => {
	const blocking = findings.filter(finding => finding.blocking);
	return blocking.length === 0
		? undefined
		: {
				chapter: 'Seen while they work: these two collide',
				lines: blocking.flatMap(finding => collidedLines(finding, {a, b})),
			};
};

const reworked = ({agent, onto, conflicts}: EventOf<'workspace.prepared'>): StoryPassage => ({
	lines: wrap(
		`${agent}  has the work of ${onto.join(' and ')} under its own now; ${conflicts.join(', ')} holds conflict markers.`,
		'  ',
	),
});

const verified = async (
	{ok, log}: EventOf<'verify.ended'>,
	{session}: Stage,
): Promise<StoryPassage> => ({
	chapter: 'The check, on the merged tree and not on the parts',
	lines: [
		`  ${ok ? 'It passed' : 'It FAILED'}, in a worktree that holds nothing but the result:`,
		...quotedText(log === null ? '' : await readFile(join(session.path, log.path), 'utf8')),
	],
});

/** What breaks between two, as lines: in a sentence, in a checker's words, and in the lines of both. */
export const collidedLines = (
	{summary, confirmed, evidence}: Pick<Finding, 'summary' | 'confirmed' | 'evidence'>,
	names: Readonly<Record<Evidence['side'], string>>,
): readonly string[] => [
	...wrap(`${names.a} and ${names.b}  ${summary}`, '  '),
	...quotedText(
		[
			...(confirmed === undefined ? [] : [`${confirmed.by}: ${confirmed.text}`]),
			...evidence.map(one =>
				`${names[one.side]}  ${locationText(one)}  ${one.text ?? ''}`.trimEnd(),
			),
		].join('\n'),
	),
];

const locationText = ({path, line}: Evidence): string =>
	line === undefined ? path : `${path}:${line}`;

/** Returns the lines that a patch takes away and adds, of all its files or of those with these paths. */
export const patchedLines = (patch: string, paths?: readonly string[]): string =>
	patch
		.split(/^(?=diff --git )/m)
		.filter(file => paths?.some(path => file.includes(`\n+++ b/${path}\n`)) ?? true)
		.flatMap(file => file.split('\n'))
		.filter(line => /^(?:-(?!--)|\+(?!\+\+))/.test(line))
		.join('\n');
