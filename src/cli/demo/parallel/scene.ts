import {files} from '../play.ts';
import {accept, approve, approvePlan, type Scene} from '../scene.ts';

/** Writes one file and a test of it; neither is anybody else's. */
const change = `steps:
  - say: "PROGRESS: Change - writing src/change.js"
  - wait: 3
  - write:
      path: src/change.js
      text: |
        /** Returns what a guest gets back, in cents. */
        export const change = (owed, paid) => Math.max(0, paid - owed);
  - wait: 2
  - write:
      path: test/change.test.js
      text: |
        import assert from 'node:assert/strict';
        import test from 'node:test';
        import {change} from '../src/change.js';

        test('whoever pays ten for 6.30 gets 3.70 back', () => {
        	assert.equal(change(630, 1000), 370);
        });
  - say: "SUMMARY: change() tells what a guest gets back"
  - complete:
      deliverables: [src/change.js, test/change.test.js]
`;

const stamps = `steps:
  - say: "PROGRESS: Stamps - writing src/stamps.js"
  - wait: 2
  - write:
      path: src/stamps.js
      text: |
        /** Returns how many stamps a guest gets for an order: one for each tea. */
        export const stamps = ({items}) => items.filter(item => item === 'tea').length;
  - wait: 4
  - write:
      path: test/stamps.test.js
      text: |
        import assert from 'node:assert/strict';
        import test from 'node:test';
        import {stamps} from '../src/stamps.js';

        test('two teas are two stamps', () => {
        	assert.equal(stamps({items: ['tea', 'cake', 'tea']}), 2);
        });
  - say: "SUMMARY: stamps() counts the teas of an order"
  - complete:
      deliverables: [src/stamps.js, test/stamps.test.js]
`;

const price = `steps:
  - say: "PROGRESS: Price - writing src/price.js"
  - wait: 4
  - write:
      path: src/price.js
      text: |
        /** Returns an amount of cents as a guest reads it. */
        export const price = cents => (cents / 100).toFixed(2);
  - wait: 3
  - write:
      path: test/price.test.js
      text: |
        import assert from 'node:assert/strict';
        import test from 'node:test';
        import {price} from '../src/price.js';

        test('250 cents are read as 2.50', () => {
        	assert.equal(price(250), '2.50');
        });
  - say: "SUMMARY: price() prints cents as people read them"
  - complete:
      deliverables: [src/price.js, test/price.test.js]
`;

const plan = `version: 1
task: Teach the till change, stamps and prices
context: The till of a tea house, in plain JavaScript. All amounts are cents.
success: [node --test passes]
target: main
verify: [node --test --test-reporter=spec]
agents:
  - subtask: Tell what a guest gets back
    goal: change() is there, and a test shows it
    scope: {allowed: [src/change.js, test/change.test.js]}
    agent: change
  - subtask: Count stamps for loyal guests
    goal: stamps() is there, and a test shows it
    scope: {allowed: [src/stamps.js, test/stamps.test.js]}
    agent: stamps
  - subtask: Print prices for people
    goal: price() is there, and a test shows it
    scope: {allowed: [src/price.js, test/price.test.js]}
    agent: price
`;

/** Three agents that need nothing of each other. */
export const parallel: Scene = {
	summary: 'three agents that share nothing, merged and checked as one',
	opening: `Three agents will work at once, each on a part of its own: no scope shares a file
with another, so nobody waits and nothing can collide. What they make is merged and
checked as one. Repository, git and checks are real; the agents play scenes over the
Agent Client Protocol, and the person who decides is a script: its decisions are
marked "by: demo".`,
	closing: `You saw three agents at work at the same time, each reviewed when it was done, in
whatever order that was, and one check and one approval of all three together.`,
	files,
	plan,
	cast: {change: {scene: change}, stamps: {scene: stamps}, price: {scene: price}},
	decisions: [
		approvePlan('Three scopes, and no file is in two of them.'),
		accept('AGT-001', 'Nobody gets money back twice.'),
		accept('AGT-002', 'One stamp for each tea, as asked.'),
		accept('AGT-003', 'Two digits behind the point.'),
		approve('The check passed on all three together.'),
	],
};
