import {files} from '../play.ts';
import {accept, approve, approvePlan, type Decision, type Scene} from '../scene.ts';

/** Everything that the scripted person decides in this scene. */
const decisions: readonly Decision[] = [
	approvePlan(
		'The scopes are narrow and there is a check. The warning is fair: two agents may write src/total.js, and a collision there comes up before anything is merged.',
	),
	{
		kind: 'question',
		agent: 'AGT-001',
		choice: '10',
		why: 'Only the owner knows. The agent was right to ask; any number it made up would have passed its own tests.',
	},
	{
		kind: 'checkpoint',
		agent: 'AGT-002',
		choice: 'continue',
		note: 'Good so far. Round the tip to whole cents, 15 % on a tea is 37.5.',
		why: 'The work is sound but for one case that its test does not try. A note now is cheaper than a review later.',
	},
	accept('AGT-003', 'The receipt is what was asked for, and the price of the cake is not in it.'),
	accept(
		'AGT-001',
		'Every file it claims is there. Accepting merges nothing yet: that takes an approval of the whole.',
	),
	accept('AGT-002', 'It has followed the note.'),
	{
		kind: 'conflict',
		choice: 'sequential:AGT-001,AGT-002',
		note: 'Take the discount first, then the tip on what is left.',
		why: 'Both changes are wanted, so taking one side would lose a feature. The agent that knows its change brings it in again, on top of the other.',
	},
	accept('AGT-002', 'Both intents live in src/total.js now, in the order that the note asked for.'),
	approve(
		'The check passed on exactly this tree, the diff is the three features and nothing else.',
	),
];

/** The agent that means well and writes where it may not: once with a request, once behind everybody's back. */
const receipt = String.raw`steps:
  - say: "PROGRESS: Receipt - looking at the prices"
  - wait: 4
  - say: 4.00 for the cake would print nicer than 3.80. I change src/menu.js.
  - leave-scope:
      path: src/menu.js
      text: |
        /** Prices in cents. */
        export const menu = {tea: 250, cake: 400, sandwich: 540};
  - wait: 3
  - say: That was refused. A shell command needs nobody’s leave, though.
  - leave-scope:
      ask: false
      path: src/menu.js
      text: |
        /** Prices in cents. */
        export const menu = {tea: 250, cake: 400, sandwich: 540};
  - wait: 4
  - say: "PROGRESS: Receipt - writing src/receipt.js"
  - wait: 2
  - write:
      path: src/receipt.js
      text: |
        import {menu} from './menu.js';
        import {total} from './total.js';

        /** Returns the lines of a receipt. */
        export const receipt = order =>
        	[...order.items.map(item => line(item, menu[item])), line('to pay', total(order))].join('\n');

        const line = (name, cents) => name.padEnd(10) + (cents / 100).toFixed(2).padStart(6);
  - wait: 2
  - write:
      path: test/receipt.test.js
      text: |
        import assert from 'node:assert/strict';
        import test from 'node:test';
        import {receipt} from '../src/receipt.js';

        test('a receipt lists the items and the total', () => {
        	assert.equal(receipt({items: ['tea']}), 'tea         2.50\nto pay      2.50');
        });
  - wait: 2
  - complete:
      deliverables: [src/receipt.js, test/receipt.test.js]
`;

/** Returns what an agent does when it is to bring its change of `src/total.js` in again, on top of the other's. */
const joining = (phase: string, deliverables: string): string => `when:
  - says: MERGE CONFLICT
    steps:
      - think: Both changes are wanted, and a tip is on what the guest really pays.
      - say: "PROGRESS: ${phase} - joining both changes of src/total.js, the discount first"
      - wait: 3
      - write:
          path: src/total.js
          text: |
            import {discounted} from './discount.js';
            import {menu} from './menu.js';
            import {withTip} from './tip.js';

            /** Returns what a guest pays, in cents. */
            export const total = order => {
            	const sum = order.items.reduce((cents, item) => cents + menu[item], 0);
            	return withTip(discounted(sum, order), order);
            };
      - wait: 2
      - complete:
          deliverables: ${deliverables}
`;

/** The agent that shows what it has before it goes on. */
const tip = `steps:
  - plan:
      - {content: Add the tip in total(), status: in_progress}
      - {content: Show what I have}
      - {content: Round to whole cents}
  - say: "PROGRESS: Tip - writing src/tip.js"
  - wait: 4
  - write:
      path: src/tip.js
      text: |
        /** Returns a sum with the tip on it, in cents. */
        export const withTip = (sum, {tip = 0}) => sum + sum * tip / 100;
  - wait: 2
  - write:
      path: src/total.js
      text: |
        import {menu} from './menu.js';
        import {withTip} from './tip.js';

        /** Returns what a guest pays, in cents. */
        export const total = order => {
        	const sum = order.items.reduce((cents, item) => cents + menu[item], 0);
        	return withTip(sum, order);
        };
  - say: "PROGRESS: Tip - showing it with a test"
  - wait: 2
  - write:
      path: test/tip.test.js
      text: |
        import assert from 'node:assert/strict';
        import test from 'node:test';
        import {total} from '../src/total.js';

        test('twenty percent tip on a tea', () => {
        	assert.equal(total({items: ['tea'], tip: 20}), 300);
        });
  - wait: 1
  - checkpoint:
      progress: 60
      changes:
        - {file: src/tip.js, action: created, description: sum + sum * tip / 100}
        - {file: src/total.js, action: modified, description: adds the tip to the sum}
        - {file: test/tip.test.js, action: created, description: 20 % on a tea is 3.00}
      questions: []
      request: CONTINUE
  - think: 15 % on a tea is 37.5 cents, and no till has half cents.
  - say: "PROGRESS: Tip - rounding to whole cents"
  - wait: 3
  - edit:
      path: src/tip.js
      find: sum + sum * tip / 100
      replace: sum + Math.round((sum * tip) / 100)
  - wait: 2
  - edit:
      path: test/tip.test.js
      find: "test('twenty"
      replace: |-
        test('a tip is rounded to whole cents', () => {
        	assert.equal(total({items: ['tea'], tip: 15}), 288);
        });

        test('twenty
  - wait: 2
  - complete:
      deliverables: [src/tip.js, src/total.js, test/tip.test.js]
      recommendations: [Ask the owner whether tips are shared]
${joining('Tip', '[src/tip.js, src/total.js, test/tip.test.js]')}`;

/** The agent that asks before it guesses; the answer becomes the program's constant. */
const discount = `steps:
  - think: A discount of how many percent? The task does not say.
  - plan:
      - {content: Find out how large the discount is, status: in_progress}
      - {content: Take it off in total()}
      - {content: Show it with a test}
  - say: "PROGRESS: Discount - reading src/total.js"
  - wait: 3
  - ask:
      id: percent
      question: How many percent do regular guests get off?
      type: choice
      options: ["5", "10", "25"]
      context: Any number would pass a test that I write myself, so I would rather ask.
  - say: "PROGRESS: Discount - writing src/discount.js with {{percent}} percent"
  - wait: 2
  - write:
      path: src/discount.js
      text: |
        const percent = {{percent}};

        /** Returns what is left of a sum after the discount, in cents. */
        export const discounted = (sum, {regular = false}) =>
        	regular ? Math.round(sum * (1 - percent / 100)) : sum;
  - wait: 2
  - write:
      path: src/total.js
      text: |
        import {discounted} from './discount.js';
        import {menu} from './menu.js';

        /** Returns what a guest pays, in cents. */
        export const total = order => {
        	const sum = order.items.reduce((cents, item) => cents + menu[item], 0);
        	return discounted(sum, order);
        };
  - say: "PROGRESS: Discount - showing it with a test"
  - wait: 2
  - write:
      path: test/discount.test.js
      text: |
        import assert from 'node:assert/strict';
        import test from 'node:test';
        import {total} from '../src/total.js';

        test('a regular guest pays {{percent}} percent less', () => {
        	assert.equal(total({items: ['tea', 'tea'], regular: true}), 500 - 5 * {{percent}});
        });
  - wait: 2
  - complete:
      deliverables: [src/discount.js, src/total.js, test/discount.test.js]
${joining('Discount', '[src/discount.js, src/total.js, test/discount.test.js]')}`;

/** The first two scopes overlap on purpose: both agents have to change `src/total.js`. */
const plan = `version: 1
task: Teach the till discounts, tips and receipts
context: The till of a tea house, in plain JavaScript. All amounts are cents.
success: [node --test passes]
target: main
verify: [node --test --test-reporter=spec]
agents:
  - subtask: Discount for regular guests
    goal: total() takes the discount off; a test shows it
    scope: {allowed: [src/discount.js, src/total.js, test/discount.test.js]}
    agent: discount
  - subtask: Tip for the staff
    goal: total() adds the tip; a test shows it
    scope: {allowed: [src/tip.js, src/total.js, test/tip.test.js]}
    agent: tip
  - subtask: Receipt to take home
    goal: receipt() lists the items and the total; a test shows it
    scope: {allowed: [src/receipt.js, test/receipt.test.js]}
    agent: receipt
`;

/** Three agents from plan to merge, with all that a person is for on the way. */
export const merge: Scene = {
	summary: 'three agents from plan to merge',
	opening: `Three agents will work at once on a small program, the till of a tea house.
The repository, the git, the processes and the checks are real; the agents play
scenes over the Agent Client Protocol, and the person who decides is a script:
its decisions are marked "by: demo" in the journal. For each you see what is
offered, what is chosen and why, and the command that says the same.`,
	closing: `You saw a question answered instead of guessed, a checkpoint that waited to be
reviewed, a change outside the scope reverted, two agents that collided in one
file and were brought together, a check of the merged tree, and one approval.
Nothing touched the branch before that approval, and nothing but it did.`,
	files,
	plan,
	cast: {discount: {scene: discount}, tip: {scene: tip}, receipt: {scene: receipt}},
	decisions,
};
