import {files} from '../play.ts';
import {accept, approve, approvePlan, type Scene} from '../scene.ts';

/** Plays both: the agent of the plan, and the one that is added for what it hands on. */
const tax = `steps:
  - say: "PROGRESS: Tax - looking for the rate"
  - wait: 2
  - delegate:
      task: Keep the tax rate in a file of its own
      blocks: true
      coordination: src/rate.js exports one number named rate
  - say: The rate is here now, so the total can use it.
  - wait: 2
  - write:
      path: src/tax.js
      text: |
        import {rate} from './rate.js';

        /** Returns an amount with tax, in cents. */
        export const withTax = cents => Math.round(cents * (1 + rate));
  - complete:
      deliverables: [src/tax.js]
when:
  - says: "Your subtask: Keep the tax rate in a file of its own"
    steps:
      - wait: 2
      - write:
          path: src/rate.js
          text: |
            /** The tax on what is sold here. */
            export const rate = 0.07;
      - say: "SUMMARY: The rate is 7 %, in src/rate.js"
      - complete:
          deliverables: [src/rate.js]
`;

const plan = `version: 1
task: Add the tax to what a guest pays
context: The till of a tea house, in plain JavaScript. All amounts are cents.
target: main
verify: [node --test --test-reporter=spec]
agents:
  - subtask: Add the tax to an amount
    goal: withTax() returns an amount with tax
    scope: {allowed: [src/tax.js, src/rate.js]}
    agent: tax
`;

/** An agent that can't go on without work that another one does. */
export const sequential: Scene = {
	summary: 'an agent that waits for work it handed on, and builds on it',
	opening: `One agent will find that it needs something else first, and ask for another
agent that makes it. It waits until that work is accepted, and goes on upon it.
Repository, git and checks are real; the agents play scenes over the Agent Client
Protocol, and the person who decides is a script: its decisions are marked "by: demo".`,
	closing: `You saw an agent ask for another one, wait for its work, and go on with that
work under its own, told what came of it.`,
	files,
	plan,
	cast: {tax: {scene: tax}},
	decisions: [
		approvePlan('One agent, and two files that it may write.'),
		{
			kind: 'delegation',
			agent: 'AGT-001',
			choice: 'approve',
			why: 'The rate is a task of its own. Its agent waits for it, so the two can’t collide.',
		},
		accept('AGT-002', 'One number, where it was wanted.'),
		accept('AGT-001', 'It uses the rate as it is.'),
		approve('The check passed on exactly this tree.'),
	],
};
