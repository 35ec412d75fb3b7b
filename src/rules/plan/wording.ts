import type {z} from 'zod';
import {enumerated} from '../../lib/text/words.ts';
import {didYouMean} from './finding.ts';

/**
Returns an issue as a predicate to follow the key's name: "must be a list, but is text".

Schemas with their own words keep them. Values of the file are not repeated, since they may be
secret.
*/
export const predicate = (issue: z.core.$ZodRawIssue): string => {
	if (issue.input === undefined) {
		return 'is missing';
	}

	if (issue.input === null) {
		return 'is empty';
	}

	switch (issue.code) {
		case 'invalid_type':
			return wrongKind(issue.expected, issue.input);
		case 'invalid_value':
			return `must be ${enumerated(issue.values.map(quoted), 'or')}`;
		case 'too_small':
			return `must ${limited(issue.origin, 'least', issue.minimum)}`;
		case 'too_big':
			return `must ${limited(issue.origin, 'most', issue.maximum)}`;
		default:
			return 'is not valid';
	}
};

/** Returns advice on an issue that has one likely fix. */
export const issueHint = (issue: z.core.$ZodIssue): string | undefined => {
	const {input} = issue;
	if (issue.code === 'invalid_value' && typeof input === 'string') {
		const name = didYouMean(input, issue.values.map(String));
		return name === undefined ? undefined : `Did you mean \`${name}\`?`;
	}

	if (input === null) {
		return 'Write a value, or leave the key out.';
	}

	const isOurWording =
		issue.code === 'invalid_type' && issue.message === wrongKind(issue.expected, input);
	if (!isOurWording || input === undefined) {
		return undefined;
	}

	if (issue.expected === 'array') {
		return 'Write a list: `[one, two]`, or a line that starts with `- ` for each entry.';
	}

	return issue.expected === 'string' && !Array.isArray(input) ? 'Put it in quotes.' : undefined;
};

const wrongKind = (expected: string, input: unknown): string =>
	expected === 'int' && typeof input === 'number'
		? 'must be a whole number'
		: `must be ${kindNames[expected] ?? expected}, but is ${kindOf(input)}`;

const kindNames: Readonly<Record<string, string>> = {
	array: 'a list',
	boolean: 'true or false',
	int: 'a whole number',
	number: 'a number',
	object: 'a map of keys and values',
	record: 'a map of keys and values',
	string: 'text',
};

const kindOf = (value: unknown): string => {
	if (Array.isArray(value)) {
		return 'a list';
	}

	switch (typeof value) {
		case 'string':
			return 'text';
		case 'number':
			return 'a number';
		case 'boolean':
			return 'true or false';
		default:
			return 'a map';
	}
};

const quoted = (value: unknown): string => `\`${String(value)}\``;

const limited = (origin: string, bound: 'least' | 'most', limit: number | bigint): string => {
	if (origin !== 'array') {
		return `be at ${bound} ${limit}`;
	}

	return `have at ${bound} ${limit} ${Number(limit) === 1 ? 'entry' : 'entries'}`;
};
