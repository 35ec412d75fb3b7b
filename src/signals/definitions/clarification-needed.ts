import {type Node, Scalar, YAMLMap} from 'yaml';
import {defineBlock} from '../block.ts';
import {defaulted, optional, readFields, required} from '../fields/fields.ts';
import {flag, text} from '../fields/kinds.ts';
import type {Entries} from '../fields/yaml.ts';
import {QUESTION_ID, questionFields, questions} from './question.ts';

export const clarificationNeeded = defineBlock({
	kind: 'clarification_needed',
	marker: 'CLARIFICATION_NEEDED',
	meaning: {kind: 'asks', answer: 'A person answers'},
	help: 'Ask a person before you go on; end your turn after it.',
	tool: {
		name: 'ask',
		help: 'Ask a person and wait for the answer; when none comes soon you are told to end your turn, and get it later.',
	},
	fields: {
		blocked_at: optional(text, 'the step you are at'),
		questions: required(questions, 'what you need to know'),
		all_required: defaulted(flag, true, 'false when the first answer is enough to go on'),
		current_state: optional(text, 'what is done so far'),
	},
	examples: [
		`[CLARIFICATION_NEEDED]
agent_id: AGT-001
timestamp: 2026-01-11T09:00:00-05:00
blocked_at: Choosing the login flow
questions:
  - Q1: Analyze OAuth2, JWT, or both?
  - Q2: What depth?
current_state: Read 12 of 30 files
[/CLARIFICATION_NEEDED]
`,
		`[CLARIFICATION_NEEDED]
questions:
  - id: auth
    question: "Which auth method?"
    type: choice
    options: [oauth, jwt]
    default_wait: 5m
  - id: port
    question: Which port?
    type: number
    required: false
all_required: false
[/CLARIFICATION_NEEDED]
`,
	],
	nearMiss: `[CLARIFICATION_NEEDED]
blocked_at: I am stuck, but ask nothing
[/CLARIFICATION_NEEDED]
`,
	told: ({questions}) => `asks: ${questions.map(({question}) => question).join(' · ')}`,
	arrange: entries => withQuestions(entries),
	complete: (said, entries) => {
		const shared = readFields(SHARED, entries);
		return {...said, questions: said.questions.map(each => ({...each, ...shared, ...each}))};
	},
});

/** Fields that a block may set for all questions that lack them. */
const SHARED = {default_wait: questionFields.default_wait, urgent: questionFields.urgent};

/** Adds the field `questions` around a single `question:` or `Q1:` lines. */
const withQuestions = (entries: Entries): Entries => {
	const arranged = new Map<string, Node>(entries);
	if (!entries.has('questions')) {
		const names = [...entries.keys()].filter(name =>
			entries.has('question') ? name in questionFields : QUESTION_ID.test(name),
		);
		if (names.length > 0) {
			arranged.set('questions', mapOf(entries, names));
		}
	}

	return arranged;
};

const mapOf = (entries: Entries, names: readonly string[]): YAMLMap => {
	const map = new YAMLMap();
	for (const name of names) {
		map.set(new Scalar(name), entries.get(name));
	}

	return map;
};
