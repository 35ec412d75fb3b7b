import {cellsOf, isTableLine, isTableRule, rowOf} from '../../lib/text/markdown-table.ts';
import {counted, enumerated} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import {Unreadable} from '../fields/unreadable.ts';
import {
	bannerAgent,
	isNone,
	plainWords,
	refuseBlank,
	type Section,
	type Sections,
	sectionItems,
	sectionsOf,
} from './checkpoint-sections.ts';

export const STATUSES = ['COMPLETE', 'BLOCKED', 'IN_PROGRESS'] as const;
export const REQUESTS = ['CONTINUE', 'MERGE', 'HELP', 'ABORT'] as const;

/** A milestone as an agent reports it; a missing section is absent, a missing list is empty. */
export type Checkpoint = {
	readonly kind: 'checkpoint';
	readonly line: number;
	readonly agent?: string;
	readonly status?: (typeof STATUSES)[number];
	/** Percent, 0 to 100. */
	readonly progress?: number;
	readonly changes: readonly Change[];
	readonly tests?: Tests;
	/** Null if nothing blocks the agent. */
	readonly blockers: string | null;
	readonly questions: readonly string[];
	/** The agent's wish; a person decides. */
	readonly request?: (typeof REQUESTS)[number];
};

/** Reads the text of a banner; its first line is the text after the title's colon. */
export const readCheckpoint = (text: string, line: number): Checkpoint => {
	const [title = '', ...lines] = text.split('\n');
	const sections = sectionsOf(lines);
	if (sections.size === 0) {
		throw new Unreadable('The checkpoint has no section.');
	}

	return {
		kind: 'checkpoint',
		line,
		...defined({
			agent: bannerAgent(title),
			status: wordOf(sections, 'status', STATUSES),
			progress: progressOf(firstLineOf(sections, 'progress')),
			tests: testsOf(sections.get('tests')),
			request: wordOf(sections, 'request', REQUESTS),
		}),
		changes: changesOf(sections.get('changes') ?? []),
		blockers: blockersOf(sections.get('blockers') ?? []),
		questions: sectionItems(sections.get('questions') ?? []),
	};
};

const firstLineOf = (sections: Sections, section: Section): string | undefined =>
	sections
		.get(section)
		?.map(plainWords)
		.find(line => line !== '');

const wordOf = <Word extends string>(
	sections: Sections,
	section: Section,
	words: readonly Word[],
): Word | undefined => {
	const value = firstLineOf(sections, section);
	if (value === undefined) {
		return undefined;
	}

	refuseBlank(section, value);
	const folded = value.toUpperCase().replaceAll(/[ -]/g, '_');
	const word = words.find(
		each => folded.startsWith(each) && !/^[A-Z]/.test(folded.slice(each.length)),
	);
	if (word === undefined) {
		throw new Unreadable(`The ${section} of a checkpoint must be ${enumerated(words, 'or')}.`);
	}

	return word;
};

const progressOf = (value: string | undefined): number | undefined => {
	if (value === undefined) {
		return undefined;
	}

	const [, digits = ''] = /^(\d{1,3}(?:\.\d+)?)\]?\s*(?:%|$)/.exec(value) ?? [];
	if (digits === '' || Number(digits) > 100) {
		throw new Unreadable('The progress of a checkpoint must be a number from 0 to 100.');
	}

	return Number(digits);
};

const blockersOf = (lines: readonly string[]): string | null => {
	const words = lines.join('\n').trim();
	return words === '' || isNone(plainWords(words)) ? null : words;
};

export const RESULTS = ['PASS', 'FAIL', 'SKIPPED'] as const;

/** Whether an agent ran its tests, and the result. */
export type Tests = {
	readonly executed: boolean;
	readonly result?: (typeof RESULTS)[number];
	readonly failed: readonly string[];
};

/** Reads a section of tests: `Executed`, `Result` and `Failed`, each with a colon. */
const testsOf = (lines: readonly string[] | undefined): Tests | undefined => {
	if (lines === undefined) {
		return undefined;
	}

	const value = (name: string): string | undefined => {
		const pattern = new RegExp(`^[\\s*_-]*${name}[*_]*:[*_]*\\s*(.*)$`, 'i');
		const found = lines.map(line => pattern.exec(line)?.[1]).find(each => each !== undefined);
		return found === undefined ? undefined : plainWords(found);
	};

	return {
		// Some agents give a number instead: `Executed: 10`.
		executed: /^y|^true|^[1-9]/i.test(value('Executed') ?? ''),
		...defined({result: resultOf(value('Result'))}),
		failed: failedOf(lines, value('Failed') ?? ''),
	};
};

const resultOf = (value: string | undefined): (typeof RESULTS)[number] | undefined => {
	if (value === undefined || value === '' || isNone(value)) {
		return undefined;
	}

	refuseBlank('test result', value);
	const [, passed, all] = /^(\d{1,9}) ?(?:\/|of) ?(\d{1,9})\b/.exec(value) ?? [];
	if (passed !== undefined) {
		return Number(passed) === Number(all) ? 'PASS' : 'FAIL';
	}

	const result = RESULTS.find(each => value.toUpperCase().startsWith(each.slice(0, 4)));
	if (result === undefined) {
		throw new Unreadable(`The test result of a checkpoint must be ${enumerated(RESULTS, 'or')}.`);
	}

	return result;
};

/** Returns the names after `Failed:`, or in a list below it; for a bare number only the count. */
const failedOf = (lines: readonly string[], value: string): readonly string[] => {
	if (/^\d+$/.test(value)) {
		return Number(value) === 0 ? [] : [counted(Number(value), 'test')];
	}

	if (value !== '') {
		return isNone(value) ? [] : value.split(/, +/).filter(name => name !== '');
	}

	const at = lines.findIndex(line => /^[\s*_-]*Failed[*_]*:/i.test(line));
	return at === -1 ? [] : sectionItems(lines.slice(at + 1));
};

/** A file that an agent reports as changed. */
type Change = {readonly file: string; readonly action: string; readonly description: string};

/** Reads a section of changes: a table, or a list of `file - action - description`. */
const changesOf = (lines: readonly string[]): readonly Change[] => {
	const rows = lines.filter(isTableLine);
	if (rows.length > 0) {
		return rowsOf(rows);
	}

	return sectionItems(lines).map(item => {
		const [file = '', action = '', ...others] = item.split(/ +[-–—] +|: +/);
		return {file: plainWords(file), action, description: others.join(' - ')};
	});
};

const rowsOf = (lines: readonly string[]): readonly Change[] => {
	const head = cellsOf(lines[0] ?? '').map(cell => cell.toLowerCase());
	const hasHead = head.includes('file');
	const columns = hasHead ? head : ['file', 'action', 'description'];
	return lines
		.slice(hasHead ? 1 : 0)
		.filter(line => !isTableRule(line))
		.map(line => {
			const cells = rowOf(line, columns.length);
			const cell = (name: string): string => cells[columns.indexOf(name)] ?? '';
			return {
				file: plainWords(cell('file')),
				action: cell('action'),
				description: cell('description'),
			};
		})
		.filter(({file}) => file !== '' && !isNone(file));
};
