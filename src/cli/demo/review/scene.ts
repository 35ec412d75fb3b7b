import type {State} from '../../../state/state.ts';
import {files} from '../play.ts';
import {accept, approve, approvePlan, type Scene} from '../scene.ts';

/** Asks for help half-way, then claims more than it did. */
const split = `steps:
  - say: "PROGRESS: Split - writing src/split.js"
  - wait: 3
  - write:
      path: src/split.js
      text: |
        /** Returns what each of so many guests pays, in cents. */
        export const split = (sum, guests) => Math.floor(sum / guests);
  - wait: 1
  - checkpoint:
      progress: 50
      changes:
        - {file: src/split.js, action: created, description: everybody pays the same}
        - {file: src/round.js, action: created, description: rounds cents}
      questions: []
      request: HELP
  - say: "PROGRESS: Split - rounding up, as I was told"
  - wait: 3
  - edit: {path: src/split.js, find: Math.floor, replace: Math.ceil}
  - wait: 1
  - complete:
      deliverables: [src/split.js, test/split.test.js]
      metrics: all tests pass
      recommendations: [Show each guest’s share on the receipt]
when:
  - says: REVIEW FEEDBACK
    steps:
      - say: "PROGRESS: Split - writing the test that was missing"
      - wait: 3
      - write:
          path: test/split.test.js
          text: |
            import assert from 'node:assert/strict';
            import test from 'node:test';
            import {split} from '../src/split.js';

            test('nobody pays too little: three guests share ten', () => {
            	assert.equal(split(1000, 3), 334);
            });
      - complete:
          deliverables: [src/split.js, test/split.test.js]
          metrics: node --test passes, one test for split()
`;

/** A person looks at what git says of it first, which takes a moment. */
const isCompared = ({agents}: State): boolean =>
	agents.every(({snapshots}) => snapshots.length > 0);

const plan = `version: 1
task: Split a bill between guests
context: The till of a tea house, in plain JavaScript. All amounts are cents.
success: [node --test passes]
target: main
verify: [node --test --test-reporter=spec]
agents:
  - subtask: One bill for several guests
    goal: split() tells what each of them pays; a test shows it
    metrics: [a test for split()]
    scope: {allowed: [src/split.js, test/split.test.js]}
    agent: split
`;

/** An agent whose words are compared with its work, twice. */
export const review: Scene = {
	summary: 'a checkpoint and a report that claim too much, seen beside the facts',
	opening: `One agent will show its work half-way and ask for help, and say that it is done when
it is not. Beside each thing that it says stands what git says, so the person sees
which of it holds. Repository, git and checks are real; the agent plays a scene over
the Agent Client Protocol, and the person who decides is a script: its decisions are
marked "by: demo".`,
	closing: `You saw a checkpoint that named a file that was not there, a report that did the same
and went back with a note, and a second one that held; only then was it accepted.`,
	files,
	plan,
	cast: {split: {scene: split}},
	decisions: [
		approvePlan('One agent, two files, and a goal that can be tested.'),
		{
			kind: 'checkpoint',
			agent: 'AGT-001',
			choice: 'help',
			when: isCompared,
			note: 'Round up: nobody pays too little. And src/round.js is not there; leave it away.',
			why: 'It asks for help, and one of its claims is wrong: there is no src/round.js.',
		},
		{
			kind: 'review',
			agent: 'AGT-001',
			choice: 'feedback',
			note: 'The test that you name is not there. Write it, with a sum that can’t be shared evenly.',
			why: 'It says success and names a test that does not exist. Accepting that would be believing it.',
		},
		accept('AGT-001', 'Every claim holds now, and the test tries the odd cent.'),
		approve('The check passed on exactly this tree.'),
	],
};
