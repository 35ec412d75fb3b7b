import {defineBlock} from '../block.ts';
import {optional, required} from '../fields/fields.ts';
import {choice, text, textOrList} from '../fields/kinds.ts';

export const delegateWork = defineBlock({
	kind: 'delegate_work',
	marker: 'DELEGATE_WORK',
	meaning: {kind: 'asks', answer: 'A person decides on'},
	help: 'Propose work for another agent; a person decides, you never start agents.',
	tool: {name: 'delegate'},
	fields: {
		new_task_description: required(textOrList, 'the work, or a list of several'),
		independence: optional(
			choice('can_proceed_parallel', 'blocks_current_work'),
			'whether you can go on meanwhile',
		),
		coordination: optional(text, 'what both sides must agree on'),
	},
	examples: [
		`[DELEGATE_WORK]
agent_id: AGT-001
new_task_description: Write load tests for the limiter
independence: "can_proceed_parallel"
coordination: "It may use src/limit/api.ts, which I keep stable"
[/DELEGATE_WORK]
`,
		`[DELEGATE_WORK]
new_task_description:
  - Set up the Redis container
  - Write its health check
independence: blocks_current_work
[/DELEGATE_WORK]
`,
	],
	nearMiss: `[DELEGATE_WORK]
new_task_description: Set up Redis
independence: maybe
[/DELEGATE_WORK]
`,
	told: ({new_task_description: tasks}) => `wants to delegate: ${[tasks].flat().join(' · ')}`,
});
