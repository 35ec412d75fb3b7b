import {stringify} from 'yaml';
import type {Story} from './playground.ts';
import {files} from './story.ts';

/** Scripts of three agents until a person has answered: two ask, each in its own way, and one works. */
const scenes: Readonly<Record<string, string>> = {
	'limit.txt': `PROGRESS: Limit - 2/5 bucket
[CLARIFICATION_NEEDED]
blocked_at: the key of a bucket
questions:
  - id: bucket
    question: Which requests share one bucket?
    type: choice
    options: [per API key, per address, per customer]
    context: Whoever shares a bucket shares its limit. A customer has several keys; offices have one address.
    urgent: true
current_state: The bucket itself is written and tested.
[/CLARIFICATION_NEEDED]
`,
	'stats.txt': `PROGRESS: Count - 1/3 counters
[CLARIFICATION_NEEDED]
questions:
  - id: reset
    question: Are the counters to start over each day?
    type: yes-no
  - id: kept
    question: How many days of them are kept?
    type: number
[/CLARIFICATION_NEEDED]
`,
	'guide.txt': `PROGRESS: Write - 1/2 outline
=====================================
AGENT CHECKPOINT: [AGT-003]
=====================================
Status: IN_PROGRESS
Progress: 40%

## Blockers
None

## Questions for Parent
None

## Request
CONTINUE
=====================================
`,
};

/** Returns the plan; each agent prints its lines one by one, independently of the others. */
const planFile = (pathOf: (name: string) => string): string => {
	const agent = (name: string, delay: number) => ({
		protocol: 'text',
		command: ['bash', '-c', `sleep ${delay}; cat "$0"; exec sleep 600`, pathOf(`${name}.txt`)],
	});
	return stringify({
		version: 1,
		task: 'Rate-limit the public API',
		verify: ['node --test'],
		agents: [
			{
				subtask: 'Token bucket in front of every request',
				goal: 'Requests over the limit get a 429; a test shows it',
				scope: {allowed: ['src/limit.js', 'src/server.js', 'test/limit.test.js']},
				agent: agent('limit', 0),
			},
			{
				subtask: 'Count the answers by status',
				goal: 'Every answer is counted; a test shows it',
				scope: {allowed: ['src/stats.js', 'test/stats.test.js']},
				agent: agent('stats', 2),
			},
			{
				subtask: 'Tell customers about the limits',
				goal: 'One page that a customer understands',
				scope: {allowed: ['docs/**']},
				agent: agent('guide', 4),
			},
		],
	});
};

/** Story of the pictures of the page in the browser. */
export const webStory: Story = {files, scenes, plan: planFile};
