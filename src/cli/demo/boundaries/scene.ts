import {files} from '../play.ts';
import {accept, approve, approvePlan, type Decision, type Scene} from '../scene.ts';

/** Everything that the scripted person decides in this scene. */
const decisions: readonly Decision[] = [
	approvePlan('The scopes are narrow; what they leave out is reverted.'),
	{
		kind: 'scope',
		agent: 'AGT-001',
		choice: 'once',
		why: 'A test of the new price is worth having, and one new file is easily reviewed.',
	},
	{
		kind: 'permission',
		agent: 'AGT-001',
		choice: 'once',
		why: 'It runs its own test, and nothing else.',
	},
	accept('AGT-001', 'Scones are on the menu, with a test.'),
	accept('AGT-002', 'It talks too much, but its work is short and good.'),
	approve('The check passed, and the diff is what was asked for.'),
];

/** The agent that says far too much on the way to decent work. */
const loyalty = `steps:
  - say: "PROGRESS: Loyalty - thinking aloud"
  - wait: 2
  - flood: {lines: 5000, line: "Hm. A stamp for each tea, or for each order? For each tea, or for each order?"}
  - say: "PROGRESS: Loyalty - writing src/loyalty.js"
  - wait: 2
  - write:
      path: src/loyalty.js
      text: |
        /** Returns how many stamps a guest gets for an order: one for each tea. */
        export const stamps = ({items}) => items.filter(item => item === 'tea').length;
  - wait: 2
  - write:
      path: test/loyalty.test.js
      text: |
        import assert from 'node:assert/strict';
        import test from 'node:test';
        import {stamps} from '../src/loyalty.js';

        test('two teas are two stamps', () => {
        	assert.equal(stamps({items: ['tea', 'cake', 'tea']}), 2);
        });
  - wait: 1
  - complete:
      deliverables: [src/loyalty.js, test/loyalty.test.js]
`;

/** The agent that goes too far: with a request, behind everybody's back, and to another machine. */
const menu = `steps:
  - say: "PROGRESS: Menu - putting scones on the menu"
  - wait: 2
  - edit:
      path: src/menu.js
      find: "{tea: 250,"
      replace: "{tea: 250, scone: 320,"
  - wait: 2
  - say: The total test could be stricter. I change it while I am here.
  - leave-scope:
      path: test/total.test.js
      text: "// nothing to see here\\n"
  - wait: 2
  - say: That was refused. A shell command needs nobody’s leave, so I try one.
  - leave-scope:
      ask: false
      path: test/total.test.js
      text: "// nothing to see here\\n"
  - wait: 3
  - say: "PROGRESS: Menu - publishing it right away"
  - run: git push origin HEAD
  - wait: 3
  - think: Not that either. A test of my own would be good, but it is not in my scope.
  - widen:
      paths: [test/menu.test.js]
      reason: The price of a scone should have a test
  - say: "PROGRESS: Menu - writing a test"
  - wait: 2
  - write:
      path: test/menu.test.js
      text: |
        import assert from 'node:assert/strict';
        import test from 'node:test';
        import {menu} from '../src/menu.js';

        test('a scone costs 3.20', () => {
        	assert.equal(menu.scone, 320);
        });
  - wait: 1
  - run: node --test test/menu.test.js
  - wait: 1
  - complete:
      deliverables: [src/menu.js, test/menu.test.js]
`;

/** By this plan nobody may write `test/menu.test.js`, and the first agent will want to. */
const plan = `version: 1
task: Put scones on the menu, and count loyal guests
context: The till of a tea house, in plain JavaScript. All amounts are cents.
success: [node --test passes]
target: main
verify: [node --test --test-reporter=spec]
agents:
  - subtask: Scones on the menu
    goal: the menu has scones for 3.20
    scope: {allowed: [src/menu.js], forbidden: [test/total.test.js]}
    agent: menu
  - subtask: A card for loyal guests
    goal: stamps() counts the teas of an order; a test shows it
    scope: {allowed: [src/loyalty.js, test/loyalty.test.js]}
    agent: loyalty
`;

/** Two agents that try all that they may not, and what becomes of it. */
export const boundaries: Scene = {
	summary: 'agents that go too far, and what holds them',
	opening: `Two agents will work on a small program, the till of a tea house, and go too far:
one writes where it may not, asks for a larger scope, tries to push and wants to
run a command; the other floods its output. Repository, git, processes and checks
are real; the agents play scenes over the Agent Client Protocol, and the person
who decides is a script: its decisions are marked "by: demo" in the journal.`,
	closing: `You saw a write outside the scope refused, one behind our back reverted and kept
as a patch, a path allowed because a person said so, a push refused, a command
that waited for permission, and a flood that drowned nobody. What was merged is what
the scopes allow.`,
	files,
	plan,
	cast: {menu: {scene: menu}, loyalty: {scene: loyalty}},
	decisions,
};
