import {z} from 'zod';
import type {DocumentPath, Problem, YamlDocument} from '../../lib/text/yaml-document.ts';
import {defined} from '../../lib/values.ts';
import {didYouMean} from './finding.ts';
import {issueHint, predicate} from './wording.ts';

const maximumProblems = 50;

/** Checks a document against a schema; each problem has the place of its value. */
export const checkShape = <Schema extends z.ZodType>(
	document: YamlDocument,
	schema: Schema,
): {readonly value: z.output<Schema>} | {readonly problems: readonly Problem[]} => {
	const checked = schema.safeParse(document.value, {error: predicate, reportInput: true});
	if (checked.success) {
		return {value: checked.data};
	}

	const problems = nearest(checked.error.issues)
		.flatMap(finding => toProblems(document, schema, finding))
		.slice(0, maximumProblems);
	return {problems: inReadingOrder(problems)};
};

/** Sorts problems by their place in the file. */
export const inReadingOrder = (problems: readonly Problem[]): readonly Problem[] =>
	problems.toSorted((a, b) => a.line - b.line || a.column - b.column);

type Finding = {
	readonly path: DocumentPath;
	readonly issue: z.core.$ZodIssue;
};

/**
Lists issues with their full paths. If a value fits none of several shapes, it is compared with the
one that matches its kind and of which it lacks the fewest keys; only that one's issues help.
*/
const nearest = (
	issues: readonly z.core.$ZodIssue[],
	above: DocumentPath = [],
): readonly Finding[] =>
	issues.flatMap(issue => {
		const path = [...above, ...issue.path];
		const fitting = issue.code === 'invalid_union' ? issue.errors.filter(fitsInKind) : [];
		const [meant] = fitting.toSorted((one, other) => lacking(one) - lacking(other));
		return meant === undefined ? [{path, issue}] : nearest(meant, path);
	});

const fitsInKind = (issues: readonly z.core.$ZodIssue[]): boolean =>
	issues.every(issue => {
		if (issue.path.length > 0) {
			return true;
		}

		return issue.code === 'invalid_union' && issue.errors.length > 0
			? issue.errors.some(fitsInKind)
			: issue.code !== 'invalid_type' && issue.code !== 'invalid_value';
	});

/** Counts the missing keys. */
const lacking = (issues: readonly z.core.$ZodIssue[]): number =>
	issues.filter(({message}) => message.startsWith('is missing')).length;

const toProblems = (
	document: YamlDocument,
	schema: z.ZodType,
	{path, issue}: Finding,
): readonly Problem[] => {
	const level = 'error';
	if (issue.code === 'unrecognized_keys') {
		const all = new Set(keysAt(schema, path));
		return issue.keys.slice(0, maximumProblems).map(key => {
			// A key of another shape at this path is not a key of this shape.
			const known = [...all].filter(name => name !== key);
			const name = didYouMean(key, known);
			const hint =
				name === undefined ? `Known here: ${known.join(', ')}.` : `Did you mean \`${name}\`?`;
			const position = document.positionOf([...path, key], 'key');
			return {level, message: `\`${short(key)}\` is not a known key.`, hint, ...position};
		});
	}

	if (issue.code === 'invalid_key') {
		const message = `${subject(path)} ${issue.issues[0]?.message ?? issue.message}.`;
		return [{level, message, ...document.positionOf(path, 'key')}];
	}

	const hint = issueHint(issue);
	const message = `${subject(path)} ${issue.message}.`;
	return [{level, message, ...defined({hint}), ...document.positionOf(path)}];
};

const subject = (path: DocumentPath): string => {
	const name = path.findLast(step => typeof step === 'string');
	if (name === undefined) {
		return 'The file';
	}

	return typeof path.at(-1) === 'number' ? `An entry of \`${short(name)}\`` : `\`${short(name)}\``;
};

const short = (name: string): string => (name.length > 40 ? `${name.slice(0, 40)}…` : name);

/** Lists the keys that a schema knows at a path. */
const keysAt = (schema: unknown, path: DocumentPath): readonly string[] => {
	const [step, ...rest] = path;
	if (schema instanceof z.ZodObject) {
		return step === undefined
			? Object.keys(schema.shape)
			: keysAt(schema.shape[String(step)], rest);
	}

	if (schema instanceof z.ZodArray) {
		return keysAt(schema.element, rest);
	}

	if (schema instanceof z.ZodRecord) {
		return keysAt(schema.valueType, rest);
	}

	if (schema instanceof z.ZodUnion) {
		return schema.options.flatMap(option => keysAt(option, path));
	}

	if (schema instanceof z.ZodDefault || schema instanceof z.ZodExactOptional) {
		return keysAt(schema.unwrap(), path);
	}

	return [];
};
