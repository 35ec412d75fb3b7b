import {enumerated} from '../../lib/text/enumerated.ts';
import type {Definition} from '../definition.ts';
import {printCheckpoint, RULE} from './checkpoint-printing.ts';
import {type Checkpoint, REQUESTS, readCheckpoint, STATUSES} from './checkpoint-reading.ts';
import {headingOf} from './checkpoint-sections.ts';
import {checkpointTool} from './checkpoint-tool.ts';

const HELP = 'Report a milestone and wait for a word.';

export const checkpoint: Definition<Checkpoint> = {
	kind: 'checkpoint',
	marker: 'AGENT CHECKPOINT',
	form: {type: 'banner', heading: line => headingOf(line)?.section, last: 'request'},
	meaning: {kind: 'asks', answer: 'A person looks at'},
	help: HELP,
	fields: [
		{name: 'agent', type: 'text', presence: 'optional', meaning: 'your id'},
		{
			name: 'status',
			type: enumerated(STATUSES, 'or'),
			presence: 'optional',
			meaning: 'where you stand',
		},
		{name: 'progress', type: '0 to 100', presence: 'optional', meaning: 'how far you are'},
		{name: 'changes', type: 'table', presence: 'defaulted', meaning: 'files you changed'},
		{name: 'tests', type: 'section', presence: 'optional', meaning: 'whether tests ran and passed'},
		{name: 'blockers', type: 'text', presence: 'defaulted', meaning: 'what blocks you, or None'},
		{name: 'questions', type: 'list of text', presence: 'defaulted', meaning: 'questions, or None'},
		{
			name: 'request',
			type: enumerated(REQUESTS, 'or'),
			presence: 'optional',
			meaning: 'what you ask for',
		},
	],
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
};
