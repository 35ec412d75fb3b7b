import {files} from '../play.ts';
import {accept, approve, approvePlan, type Decision, type Scene} from '../scene.ts';

/** Everything that the scripted person decides in this scene. */
const decisions: readonly Decision[] = [
	approvePlan('The scopes are narrow, and there is a check.'),
	{
		kind: 'blocker',
		agent: 'AGT-002',
		choice: 'resolved',
		note: 'Whoever calls leftover() knows whether the house is closed; take that as given.',
		why: 'It was right to stop: the closing time is nobody else’s to make up, and not needed here.',
	},
	{
		kind: 'failure',
		agent: 'AGT-001',
		choice: 'retry',
		why: 'Its worktree was pinned when the process died, so it can go on where it stood.',
	},
	accept('AGT-001', 'The new price is in the menu and in the test.'),
	accept('AGT-002', 'Its own test passes. Whether all of it fits together, the check will tell.'),
	{
		kind: 'verify',
		choice: 'feedback',
		note: 'Take the price from the menu in the tests.',
		why: 'Each part was fine and the whole is not, so they go back with what failed.',
	},
	accept('AGT-001', 'Its test is as it was, and it says why.'),
	accept('AGT-002', 'Its test follows the menu now.'),
	approve('The check passes now, on exactly this tree.'),
];

/** The agent that lacks something, and whose test knows a price that is about to change. */
const leftover = `steps:
  - say: "PROGRESS: Leftovers - looking for the closing time"
  - wait: 2
  - stop:
      details: Nothing here says when the house closes
      needs: The closing time, or leave to begin without it
  - say: "PROGRESS: Leftovers - writing src/leftover.js"
  - wait: 2
  - write:
      path: src/leftover.js
      text: |
        import {menu} from './menu.js';

        /** Returns what a cake costs, in cents; half after closing time. */
        export const leftover = ({closed = false} = {}) => (closed ? menu.cake / 2 : menu.cake);
  - wait: 2
  - write:
      path: test/leftover.test.js
      text: |
        import assert from 'node:assert/strict';
        import test from 'node:test';
        import {leftover} from '../src/leftover.js';

        test('cake is half the price after closing time', () => {
        	assert.equal(leftover({closed: true}), 190);
        });
  - wait: 2
  - complete:
      deliverables: [src/leftover.js, test/leftover.test.js]
when:
  - says: REVIEW FEEDBACK
    steps:
      - say: "PROGRESS: Leftovers - taking the price from the menu in the test, too"
      - wait: 3
      - write:
          path: test/leftover.test.js
          text: |
            import assert from 'node:assert/strict';
            import test from 'node:test';
            import {leftover} from '../src/leftover.js';
            import {menu} from '../src/menu.js';

            test('cake is half the price after closing time', () => {
            	assert.equal(leftover({closed: true}), menu.cake / 2);
            });
      - wait: 1
      - complete:
          deliverables: [src/leftover.js, test/leftover.test.js]
`;

/** The agent that crashes half-way, with its work on the disk; what it lacks where that is taken as it is, it brings when it is sent back. */
const price = `steps:
  - say: "PROGRESS: Price - changing the menu"
  - wait: 3
  - edit: {path: src/menu.js, find: "cake: 380", replace: "cake: 420"}
  - wait: 2
  - say: "PROGRESS: Price - changing the test"
  - wait: 1
  - crash: {code: 137, complaint: "Killed: out of memory"}
  - say: My menu is still as I left it, so only the test is missing.
  - wait: 2
  - edit: {path: test/total.test.js, find: "a tea and a cake cost 6.30", replace: "a tea and a cake cost 6.70"}
  - edit: {path: test/total.test.js, find: "630", replace: "670"}
  - wait: 1
  - complete:
      deliverables: [src/menu.js, test/total.test.js]
when:
  - says: REVIEW FEEDBACK
    steps:
      - say: "PROGRESS: Price - looking at what failed"
      - wait: 2
      - write:
          path: test/total.test.js
          text: |
            import assert from 'node:assert/strict';
            import test from 'node:test';
            import {total} from '../src/total.js';

            test('a tea and a cake cost 6.70', () => {
            	assert.equal(total({items: ['tea', 'cake']}), 670);
            });
      - say: My test knows the new price, as it was asked for. What knows the old one is a test of the leftovers.
      - complete:
          deliverables: [src/menu.js, test/total.test.js]
`;

/** Each agent's own test passes; only the first one's change makes the second one's test wrong. */
const plan = `version: 1
task: Raise the price of cake, and sell leftovers cheaper
context: The till of a tea house, in plain JavaScript. All amounts are cents.
success: [node --test passes]
target: main
verify: [node --test --test-reporter=spec]
agents:
  - subtask: A new price for cake
    goal: cake costs 4.20, in the menu and in the tests
    scope: {allowed: [src/menu.js, test/total.test.js]}
    agent: price
  - subtask: Leftovers after closing time
    goal: leftover() halves what cake costs after closing time; a test shows it
    scope: {allowed: [src/leftover.js, test/leftover.test.js]}
    agent: leftover
`;

/** Two agents to whom all goes wrong that can, and whose work is merged all the same. */
export const recovery: Scene = {
	summary: 'a crash, a blocker, a failing check, and the way out of each',
	opening: `Two agents will work on a small program, the till of a tea house, and little will
go well: one crashes in the middle of its work, the other lacks something to go
on, and together they break the check. Repository, git, processes and checks are
real; the agents play scenes over the Agent Client Protocol, and the person who
decides is a script: its decisions are marked "by: demo" in the journal.`,
	closing: `You saw a crash that lost no work, a blocker that a person could clear, and a
check that failed where it should: on the merged tree, before anybody was asked
to approve. The branch saw none of it, only the result that passed.`,
	files,
	plan,
	cast: {price: {scene: price}, leftover: {scene: leftover}},
	decisions,
};
