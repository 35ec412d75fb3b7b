import {defineBlock} from '../../src/signals/block.ts';
import {required} from '../../src/signals/fields/fields.ts';
import {text} from '../../src/signals/fields/kinds.ts';

const rest = {
	kind: 'loan',
	marker: 'LOAN',
	help: 'Ask for what another agent has.',
	fields: {of: required(text, 'what you need')},
	examples: ['[LOAN]\nof: a port\n[/LOAN]\n', '[LOAN]\nof: a key\n[/LOAN]\n'],
	nearMiss: '[LOAN]\n[/LOAN]\n',
	told: () => 'asks for a loan',
} as const;

// A signal says what it means.
// @ts-expect-error
defineBlock(rest);

// One that asks says what an agent that waits is told.
// @ts-expect-error
defineBlock({...rest, meaning: {kind: 'asks'}});

// One that only informs has nobody wait.
// @ts-expect-error
defineBlock({...rest, meaning: {kind: 'informs', answer: 'A person lends'}});

defineBlock({...rest, meaning: {kind: 'asks', answer: 'A person lends'}});
