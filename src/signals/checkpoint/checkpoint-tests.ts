import {defined} from '../../lib/defined.ts';
import {enumerated} from '../../lib/text/enumerated.ts';
import {Unreadable} from '../fields/unreadable.ts';
import {isNone, itemsOf, plainWords, refuseBlank} from './checkpoint-words.ts';

/** What can come of tests. */
export const RESULTS = ['PASS', 'FAIL', 'SKIPPED'] as const;

/** Whether an agent ran its tests, and what came of it. */
export type Tests = {
	readonly executed: boolean;
	readonly result?: (typeof RESULTS)[number];
	readonly failed: readonly string[];
};

/** Reads a section of tests: `Executed`, `Result` and `Failed`, each with a colon. */
export const testsOf = (lines: readonly string[] | undefined): Tests | undefined => {
	if (lines === undefined) {
		return undefined;
	}

	const value = (name: string): string | undefined => {
		const pattern = new RegExp(`^[\\s*_-]*${name}[*_]*:[*_]*\\s*(.*)$`, 'i');
		const found = lines.map(line => pattern.exec(line)?.[1]).find(each => each !== undefined);
		return found === undefined ? undefined : plainWords(found);
	};

	return {
		executed: /^y|^true/i.test(value('Executed') ?? ''),
		...defined({result: resultOf(value('Result'))}),
		failed: failedOf(lines, value('Failed') ?? ''),
	};
};

const resultOf = (value: string | undefined): (typeof RESULTS)[number] | undefined => {
	if (value === undefined || value === '' || isNone(value)) {
		return undefined;
	}

	refuseBlank('test result', value);
	const result = RESULTS.find(each => value.toUpperCase().startsWith(each.slice(0, 4)));
	if (result === undefined) {
		throw new Unreadable(`The test result of a checkpoint must be ${enumerated(RESULTS, 'or')}.`);
	}

	return result;
};

/** Names after `Failed:`, or as a list below it. */
const failedOf = (lines: readonly string[], value: string): readonly string[] => {
	if (value !== '') {
		return isNone(value) ? [] : value.split(/, +/).filter(name => name !== '');
	}

	const at = lines.findIndex(line => /^[\s*_-]*Failed[*_]*:/i.test(line));
	return at === -1 ? [] : itemsOf(lines.slice(at + 1));
};
