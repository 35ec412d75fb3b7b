import {isMap, type Node} from 'yaml';
import {printTable} from '../../lib/text/markdown-table.ts';
import {defined} from '../../lib/values.ts';
import {helpOf} from '../block.ts';
import {type Definition, noLine, type Tool} from '../definition.ts';
import {
	defaulted,
	type Fields,
	type FieldType,
	optional,
	readFields,
	required,
	schemaOf,
} from '../fields/fields.ts';
import {choice, flag, list, text} from '../fields/kinds.ts';
import {Unreadable} from '../fields/unreadable.ts';
import {fieldEntries, nodesOf, textOf} from '../fields/yaml.ts';
import {readToolFields} from '../tool.ts';
import {
	type Checkpoint,
	REQUESTS,
	RESULTS,
	readCheckpoint,
	STATUSES,
	type Tests,
} from './checkpoint-reading.ts';
import {headingOf, isNone} from './checkpoint-sections.ts';

/** Returns the tool for checkpoints, with the sections of the banner as fields. */
const checkpointTool = (help: string): Tool<Checkpoint> => ({
	name: 'checkpoint',
	help,
	schema: schemaOf(FIELDS),
	read: given => {
		if (!Object.keys(FIELDS).some(name => name in given)) {
			throw new Unreadable('The checkpoint has no section.');
		}

		const {changes, tests, blockers, ...said} = readFields(FIELDS, readToolFields(given));
		return {
			kind: 'checkpoint',
			line: noLine,
			...said,
			changes: changes.map(({file, action, description}) => ({
				file: oneLine(file),
				action: oneLine(action),
				description: oneLine(description),
			})),
			...defined({tests}),
			blockers: blockers === undefined || isNone(blockers) ? null : blockers.trim(),
			questions: said.questions.map(oneLine).filter(question => !isNone(question)),
		};
	},
});

/** Joins lines, since a table row or list item of the banner is one line. */
const oneLine = (words: string): string => words.replaceAll(/\s+/g, ' ').trim();

const percent: FieldType<number> = {
	type: '0 to 100',
	schema: {type: 'number', minimum: 0, maximum: 100},
	template: () => 0,
	read: (node, name) => {
		const said = Number(textOf(node)?.replace(/%$/, '') || Number.NaN);
		if (!(said >= 0 && said <= 100)) {
			throw new Unreadable(`The field ${name} must be a number from 0 to 100.`);
		}

		return said;
	},
};

/** Several values with fields of their own. */
const listOf = <F extends Fields>(
	fields: F,
): FieldType<readonly ReturnType<typeof readFields<F>>[]> => ({
	type: 'table',
	schema: {type: 'array', items: schemaOf(fields)},
	template: () => [],
	read: (node, name) => nodesOf(node).map(item => readOne(fields, item, name)),
});

/** One value with fields of its own. */
const one = <F extends Fields>(fields: F): FieldType<ReturnType<typeof readFields<F>>> => ({
	type: 'section',
	schema: schemaOf(fields),
	template: () => ({}),
	read: (node, name) => readOne(fields, node, name),
});

const readOne = <F extends Fields>(fields: F, node: Node, name: string) => {
	if (!isMap(node)) {
		throw new Unreadable(`The field ${name} takes ${Object.keys(fields).join(', ')}.`);
	}

	return readFields(fields, fieldEntries(node));
};

const FIELDS = {
	status: optional(choice(...STATUSES), 'where you stand'),
	progress: optional(percent, 'how far you are, in percent'),
	changes: defaulted(
		listOf({
			file: required(text, 'its path'),
			action: required(text, 'created, modified or deleted'),
			description: defaulted(text, '', 'in short'),
		}),
		[],
		'files you changed',
	),
	tests: optional(
		one({
			executed: required(flag, 'whether they ran'),
			result: optional(choice(...RESULTS), 'what came of it'),
			failed: defaulted(list, [], 'a test that failed'),
		}),
		'whether tests ran and passed',
	),
	blockers: optional(text, 'what blocks you, if anything does'),
	questions: defaulted(list, [], 'a question to the person'),
	request: optional(choice(...REQUESTS), 'what you ask for'),
} satisfies Fields;

/** Rule above and below the title, and at the end. */
const RULE = '═══════════════════════════════════════';

/** Prints a checkpoint as its banner. */
const printCheckpoint = ({
	agent,
	status,
	progress,
	changes,
	tests,
	blockers,
	questions,
	request,
}: Checkpoint): string => {
	const section = (name: string, body: string | undefined): string =>
		body === undefined ? '' : `\n## ${name}\n${body}\n`;
	const head = status === undefined ? '' : `Status: ${status}\n`;
	const percent = progress === undefined ? '' : `Progress: ${progress}%\n`;
	const table = printTable([
		['File', 'Action', 'Description'],
		...changes.map(({file, action, description}) => [file, action, description]),
	]);
	return [
		`${RULE}\nAGENT CHECKPOINT: [${agent ?? ''}]\n${RULE}\n\n${head}${percent}`,
		section('Changes Made', changes.length === 0 ? 'None' : table.trimEnd()),
		section('Tests Run', tests && printTests(tests)),
		section('Blockers', blockers ?? 'None'),
		section('Questions for Parent', questions.map(each => `- ${each}`).join('\n') || 'None'),
		section('Request', request),
		`\n${RULE}\n`,
	].join('');
};

const printTests = ({executed, result, failed}: Tests): string =>
	[
		`- Executed: ${executed ? 'Y' : 'N'}`,
		...(result === undefined ? [] : [`- Result: ${result}`]),
		`- Failed: ${failed.join(', ') || 'None'}`,
	].join('\n');

const HELP = 'Report a milestone and wait for a word.';

export const checkpoint: Definition<Checkpoint> = {
	kind: 'checkpoint',
	marker: 'AGENT CHECKPOINT',
	form: {type: 'banner', heading: line => headingOf(line)?.section, last: 'request'},
	meaning: {kind: 'asks', answer: 'A person looks at'},
	help: HELP,
	fields: helpOf({agent: optional(text, 'your id'), ...FIELDS}),
	examples: [
		`${RULE}
AGENT CHECKPOINT: [AGT-001]
${RULE}

Status: IN_PROGRESS
Progress: 40%

## Changes Made
| File | Action | Description |
|------|--------|-------------|
| src/limit/bucket.ts | created | Token bucket |

## Tests Run
- Executed: Y
- Result: FAIL
- Failed: refills at midnight

## Blockers
None

## Questions for Parent
- Should the limit hold per user or per key?

## Request
CONTINUE

${RULE}
`,
		`---------------------------
AGENT CHECKPOINT: AGT-002
---------------------------
Status: BLOCKED
## Request
HELP
## Blockers
The database is not reachable.
---------------------------
`,
	],
	nearMiss: `${RULE}
AGENT CHECKPOINT: [AGT-001]
${RULE}
Status: ALMOST
${RULE}
`,
	template: `${RULE}
AGENT CHECKPOINT: [‹your id›]
${RULE}

Status: ‹COMPLETE, BLOCKED or IN_PROGRESS›
Progress: ‹0 to 100›%

## Changes Made
| File | Action | Description |
|------|--------|-------------|
| ‹path› | ‹created or modified› | ‹in short› |

## Tests Run
- Executed: ‹Y or N›
- Result: ‹PASS, FAIL or SKIPPED›
- Failed: ‹names, if any›

## Blockers
‹None, or what blocks you›

## Questions for Parent
‹None, or a question on each line›

## Request
‹CONTINUE, MERGE, HELP or ABORT›

${RULE}
`,
	read: readCheckpoint,
	print: printCheckpoint,
	tool: checkpointTool(HELP),
	told: ({progress}) => `checkpoint${progress === undefined ? '' : ` at ${progress} %`}`,
};
