import type {Definition} from '../definition.ts';
import {Unreadable} from '../fields/unreadable.ts';

type WorkflowComplete = {readonly kind: 'workflow_complete'; readonly line: number};

export const workflowComplete: Definition<WorkflowComplete> = {
	kind: 'workflow_complete',
	marker: 'WORKFLOW_COMPLETE',
	form: {type: 'word'},
	meaning: {kind: 'concludes'},
	help: 'Say that all your work is done, when there is nothing to report; alone on its line.',
	fields: [],
	examples: ['WORKFLOW_COMPLETE\n', '**WORKFLOW_COMPLETE**\n'],
	nearMiss: 'WORKFLOW_COMPLETE: nearly\n',
	template: 'WORKFLOW_COMPLETE ‹alone on its line›\n',
	read: (text, line) => {
		if (text !== '') {
			throw new Unreadable('WORKFLOW_COMPLETE stands alone on its line.');
		}

		return {kind: 'workflow_complete', line};
	},
	print: () => 'WORKFLOW_COMPLETE\n',
};
