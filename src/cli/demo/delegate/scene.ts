import {files} from '../play.ts';
import {accept, approve, approvePlan, type Scene} from '../scene.ts';

/** Plays all: the agent of the plan, and whoever is added for what it hands on, whatever a person makes of that. */
const receipt = `steps:
  - say: "PROGRESS: Receipt - looking at what there is to do"
  - wait: 2
  - delegate:
      task: The words of a receipt, in German
      coordination: src/words.js exports an object words with the keys item and total
  - delegate:
      task: Put every receipt into a database
  - say: "PROGRESS: Receipt - writing the lines meanwhile"
  - wait: 4
  - write:
      path: src/receipt.js
      text: |
        import {menu} from './menu.js';

        /** Returns the lines of a receipt, with the words that it is given. */
        export const receipt = ({items}, words) => [
        	...items.map(item => \`\${words.item} \${item} \${menu[item]}\`),
        	\`\${words.total} \${items.reduce((cents, item) => cents + menu[item], 0)}\`,
        ];
  - wait: 1
  - checkpoint:
      progress: 80
      changes:
        - {file: src/receipt.js, action: created, description: takes the words as an argument}
      request: CONTINUE
  - say: "PROGRESS: Receipt - testing it with words of its own"
  - wait: 2
  - write:
      path: test/receipt.test.js
      text: |
        import assert from 'node:assert/strict';
        import test from 'node:test';
        import {receipt} from '../src/receipt.js';

        test('a receipt lists the items and the total', () => {
        	const words = {item: '1 x', total: 'Total'};
        	assert.deepEqual(receipt({items: ['tea']}, words), ['1 x tea 250', 'Total 250']);
        });
  - complete:
      deliverables: [src/receipt.js, test/receipt.test.js]
when:
  - says: REVIEW FEEDBACK
    steps:
      - say: I have looked at it again, and would leave it as it is.
      - complete: {}
  - says: "Your subtask: Put every receipt into a database"
    steps:
      - say: There is no database here, so there is nothing to do.
      - complete: {}
  - says: "Requested by: AGT-001"
    steps:
      - say: "PROGRESS: Words - writing src/words.js"
      - wait: 3
      - write:
          path: src/words.js
          text: |
            /** The words of a receipt, in German. */
            export const words = {item: '1 Mal', total: 'Summe'};
      - complete:
          deliverables: [src/words.js]
`;

const plan = `version: 1
task: Print receipts, in German, too
context: The till of a tea house, in plain JavaScript. All amounts are cents.
success: [node --test passes]
target: main
verify: [node --test --test-reporter=spec]
agents:
  - subtask: Print a receipt as text
    goal: receipt() lists the items and the total; a test shows it
    scope: {allowed: [src/receipt.js, src/words.js, test/receipt.test.js]}
    agent: receipt
`;

/** An agent that proposes work for others, and a person who says yes once and no once. */
export const delegate: Scene = {
	summary: 'work that an agent hands on: one agent more, and one refusal with its reason',
	opening: `One agent will find that two things would be better done by others, and ask. Agents
can’t start agents: a person says yes or no to each, and sees what the rules say of
it. Both go on at the same time. Repository, git and checks are real; the agents play
scenes over the Agent Client Protocol, and the person who decides is a script: its
decisions are marked "by: demo".`,
	closing: `You saw work handed on because a person agreed, the words that both agents were told
to agree on, and a request that was refused, with the reason told to who asked.`,
	files,
	plan,
	cast: {receipt: {scene: receipt}},
	decisions: [
		approvePlan('One agent, and three files that it may write.'),
		{
			kind: 'delegation',
			agent: 'AGT-001',
			choice: 'approve',
			why: 'It is a task of its own, and what both have to agree on is written down.',
		},
		{
			kind: 'delegation',
			agent: 'AGT-001',
			choice: 'reject',
			note: 'No database: the till forgets its guests every night.',
			why: 'Nobody asked for it. The reason is told, so it does not ask again.',
		},
		{
			kind: 'checkpoint',
			agent: 'AGT-001',
			choice: 'continue',
			why: 'It takes the words as an argument, as was agreed on.',
		},
		accept('AGT-002', 'The two words, under their keys.'),
		accept('AGT-001', 'Its lines fit any words.'),
		approve('The check passed on both together.'),
	],
};
