import type {WorkStatus} from '../../events/reply.ts';
import {defined} from '../../lib/defined.ts';
import type {Signal} from '../../signals/index.ts';

type StopWork = Extract<Signal, {kind: 'stop_work'}>;

/** Returns where an agent stood when it stopped its work, as far as its `state_snapshot` tells: names with values, or text. */
export const workStatusOf = ({state_snapshot: snapshot}: StopWork): WorkStatus => {
	if (typeof snapshot === 'object' && snapshot !== null && !Array.isArray(snapshot)) {
		return namedIn(Object.entries(snapshot));
	}

	const text = wordsOf(snapshot);
	const status = namedIn(linesOf(text));
	return Object.keys(status).length > 0 || text === '' ? status : {completed: text};
};

type Named = readonly (readonly [name: string, value: unknown])[];

/** The references' own names vary: `completed`, `Completed tasks`, `next_task`. */
const namedIn = (named: Named): WorkStatus => {
	const find = (word: string): unknown =>
		named.find(([name]) => name.toLowerCase().includes(word))?.[1];
	const files = find('file');
	return defined({
		completed: wordsOf(find('complete')) || undefined,
		files: files === undefined ? undefined : listOf(files),
		next: wordsOf(find('next')) || undefined,
	});
};

const linesOf = (text: string): Named =>
	text.split('\n').flatMap(line => {
		const [, name, value] = /^[^a-z]*([a-z][a-z _]{0,30}):\s*(\S.*)$/i.exec(line) ?? [];
		return name === undefined || value === undefined ? [] : [[name, value] as const];
	});

const listOf = (value: unknown): readonly string[] =>
	Array.isArray(value)
		? value.map(wordsOf)
		: unwrapped(wordsOf(value))
				.split(',')
				.map(word => word.trim())
				.filter(word => word !== '');

const wordsOf = (value: unknown): string => {
	if (value === undefined || value === null) {
		return '';
	}

	if (Array.isArray(value)) {
		return value.map(wordsOf).join(', ');
	}

	return typeof value === 'string' ? unwrapped(value.trim()) : JSON.stringify(value);
};

const unwrapped = (text: string): string => /^\[([^\][]*)\]$/.exec(text)?.[1] ?? text;
