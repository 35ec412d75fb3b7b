import type {BodyOf} from '../../events/event.ts';
import type {Finding} from '../../events/finding.ts';
import type {UnreadFiles} from '../../events/unread.ts';
import type {State} from '../state.ts';

/** Two sides whose work was compared while they were at it, with what blocks a merge of the two, notes on it, and what could not be read. */
export type ComparedPair = {
	/** An agent's id. */
	readonly a: string;
	/** An agent's id, or `target`. */
	readonly b: string;
	readonly findings: readonly Finding[];
	/** How many more block than are kept. */
	readonly more: number;
	/** What only git compared, and why. */
	readonly unread: readonly UnreadFiles[];
	/** Which finding each agent was told of, by its key. */
	readonly notified: readonly {readonly agent: string; readonly key: string}[];
};

/** What was found before and is found no more is forgotten; should it come back, it is reported again. */
export const workCompared = (
	state: State,
	{a, b, findings, more, unread = []}: BodyOf<'work.compared'>,
): State => {
	const before = state.compared.find(pair => isPair(pair, {a, b}));
	const keys = new Set(findings.map(({key}) => key));
	const notified = before?.notified.filter(({key}) => keys.has(key)) ?? [];
	const others = state.compared.filter(pair => pair !== before);
	return {
		...state,
		compared:
			findings.length + unread.length === 0
				? others
				: [...others, {a, b, findings, more, unread, notified}],
	};
};

/** Remembers that an agent was told of these findings, by their keys. */
export const withFindingsNotified = (
	state: State,
	agent: string,
	keys: readonly string[],
): State =>
	keys.length === 0
		? state
		: {
				...state,
				compared: state.compared.map(pair => ({
					...pair,
					notified: [
						...pair.notified,
						...pair.findings
							.filter(({key}) => [pair.a, pair.b].includes(agent) && keys.includes(key))
							.map(({key}) => ({agent, key})),
					],
				})),
			};

/** Returns whether two pairs are of the same sides. */
export const isPair = (
	one: {readonly a: string; readonly b: string},
	other: {readonly a: string; readonly b: string},
): boolean => one.a === other.a && one.b === other.b;
