import {defined} from '../../lib/defined.ts';
import {enumerated} from '../../lib/text/enumerated.ts';
import {Unreadable} from '../fields/unreadable.ts';
import {type Change, changesOf} from './checkpoint-changes.ts';
import {type Section, type Sections, sectionsOf} from './checkpoint-sections.ts';
import {type Tests, testsOf} from './checkpoint-tests.ts';
import {agentOf, isNone, itemsOf, plainWords, refuseBlank} from './checkpoint-words.ts';

export const STATUSES = ['COMPLETE', 'BLOCKED', 'IN_PROGRESS'] as const;
export const REQUESTS = ['CONTINUE', 'MERGE', 'HELP', 'ABORT'] as const;

/** A milestone as an agent reports it; a section it left out is absent, a list it left out is empty. */
export type Checkpoint = {
	readonly kind: 'checkpoint';
	readonly line: number;
	readonly agent?: string;
	readonly status?: (typeof STATUSES)[number];
	/** Percent, 0 to 100. */
	readonly progress?: number;
	readonly changes: readonly Change[];
	readonly tests?: Tests;
	/** Null when nothing blocks the agent. */
	readonly blockers: string | null;
	readonly questions: readonly string[];
	/** What the agent would like to happen; a person decides. */
	readonly request?: (typeof REQUESTS)[number];
};

/** Reads the text of a banner; its first line is what stands after the title's colon. */
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
			agent: agentOf(title),
			status: wordOf(sections, 'status', STATUSES),
			progress: progressOf(firstLineOf(sections, 'progress')),
			tests: testsOf(sections.get('tests')),
			request: wordOf(sections, 'request', REQUESTS),
		}),
		changes: changesOf(sections.get('changes') ?? []),
		blockers: blockersOf(sections.get('blockers') ?? []),
		questions: itemsOf(sections.get('questions') ?? []),
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
