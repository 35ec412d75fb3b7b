import type {Event} from '../../events/event.ts';
import type {Agent} from '../../state/agent/agent.ts';
import type {State} from '../../state/state.ts';
import {activitiesOf, withDetails} from '../activity/accounts.ts';
import type {LineEnd} from '../activity/place-passages.ts';
import {checkLogIn} from '../files/check-log.ts';
import {checkTail, transcriptsIn} from '../files/tails.ts';
import type {Model} from '../model.ts';
import type {Recording} from './recording.ts';

const kept = 1000;

type Line = LineEnd & {readonly text: string};

/**
Returns the last lines of each agent's words, and what it told besides, as they were at a moment of a recording.

How much of a transcript there was is known where a signal was heard or a detail told, and where the turn ended.
*/
export const recordedWords = (
	{files, details}: Recording,
	past: readonly Event[],
	state: State,
): Pick<Model, 'tails' | 'activities'> => {
	const known = details.filter(({at}) => at <= state.at);
	const lines = Object.fromEntries(
		state.agents
			.filter(({turn}) => turn.phase !== 'none')
			.map(agent => {
				const positions = [
					...heard(past, agent.id),
					...known.filter(one => one.agent === agent.id),
				];
				return [agent.id, linesOf(files, agent, positions)] as const;
			}),
	);
	const tails = Object.entries(lines).map(([id, said]) => [id, said.map(({text}) => text)]);
	return {
		tails: {...Object.fromEntries(tails), [checkTail]: printed(files, state)},
		activities: activitiesOf(withDetails({}, known), agent => lines[agent] ?? []),
	};
};

/** A place up to which there certainly was something of a transcript. */
type TranscriptPosition = {readonly turn: number; readonly offset: number};

const heard = (past: readonly Event[], agent: string): readonly TranscriptPosition[] =>
	past.flatMap(event => (event.kind === 'signal.said' && event.agent === agent ? [event] : []));

/** All of a turn that has ended was heard. */
const linesOf = (
	files: Recording['files'],
	{id, turn}: Agent,
	positions: readonly TranscriptPosition[],
): readonly Line[] => {
	const folder = `${id}/transcript/`;
	const last = turn.number;
	return transcriptsIn(namesIn(files, folder), last)
		.flatMap(name => {
			const number = Number.parseInt(name, 10);
			const isOver = number < last || turn.phase === 'ended';
			const bytes = isOver
				? undefined
				: Math.max(
						0,
						...positions.map(position => (position.turn === number ? position.offset : 0)),
					);
			return cutLines(files.get(`${folder}${name}`)?.subarray(0, bytes)).map(line => ({
				...line,
				turn: number,
			}));
		})
		.slice(-kept);
};

/** Of a check that runs, nothing more is known than its first command. */
const printed = (files: Recording['files'], state: State): readonly string[] => {
	const folder = 'verify/';
	const name = checkLogIn(namesIn(files, folder), state);
	const lines = cutLines(files.get(`${folder}${name}`)).map(({text}) => text);
	return state.merge.phase === 'built' ? lines.slice(0, 1) : lines.slice(-kept);
};

const namesIn = (files: Recording['files'], folder: string): readonly string[] =>
	[...files.keys()].filter(path => path.startsWith(folder)).map(path => path.slice(folder.length));

const cutLines = (bytes: Uint8Array | undefined): readonly Omit<Line, 'turn'>[] => {
	const text = new TextDecoder().decode(bytes);
	const encoder = new TextEncoder();
	let end = 0;
	return text === ''
		? []
		: text
				.trimEnd()
				.split('\n')
				.map(line => {
					end += encoder.encode(line).length + 1;
					return {text: line, end};
				});
};
