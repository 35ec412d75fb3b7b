import {liveCollisions} from '../../../rules/collisions.ts';
import type {State} from '../../../state/state.ts';
import {accept, approve, approvePlan, type Decision, type Scene} from '../scene.ts';

const areSeenToCollide = (state: State): boolean => liveCollisions(state).length > 0;

const isChecked = ({items}: State): boolean =>
	items.some(item => item.kind === 'conflict' && item.checking?.result !== undefined);

/** Everything that the scripted person decides in this scene. */
const decisions: readonly Decision[] = [
	approvePlan(
		'The scopes share no file. Whether that is enough, the comparison of their work will tell.',
	),
	{
		kind: 'checkpoint',
		agent: 'AGT-001',
		choice: 'continue',
		when: areSeenToCollide,
		why: 'Its change is what was asked for. The other agent is told of it at its next turn, and so am I.',
	},
	{
		kind: 'checkpoint',
		agent: 'AGT-002',
		choice: 'continue',
		when: areSeenToCollide,
		why: 'Its call is right where it stands, and wrong beside the other one. It may finish; nothing is merged yet.',
	},
	accept('AGT-001', 'Sizes are what was asked for.'),
	accept(
		'AGT-002',
		'Its work is good by itself. That the two collide is asked about before the merge.',
	),
	{
		kind: 'conflict',
		choice: 'check:choose-one:AGT-001',
		why: 'One of them could give up what it did. Before I choose, I have that checked: nothing is decided by it.',
	},
	{
		kind: 'conflict',
		when: isChecked,
		choice: 'sequential:AGT-001,AGT-002',
		note: 'A card buys small teas.',
		why: 'That fails, for the test of the card stays behind. Both changes are wanted anyway, so the one that calls has to follow: it is told the lines of both, and works on top of the other one now.',
	},
	accept('AGT-002', 'Its call names the size now.'),
	approve('Nothing collides any more, and the check passed on exactly this tree.'),
];

/** The agent that calls \`price()\` as it was when it began; its own test passes. */
export const card = `steps:
  - say: "PROGRESS: Card - what ten stamps are worth"
  - wait: 3
  - write:
      path: src/card.ts
      text: |
        import {price} from './price.ts';

        /** Returns what a loyal guest's card is worth, in cents: a tea for every ten stamps. */
        export const worth = (stamps: number): number =>
        	Math.floor(stamps / 10) * price('tea');
  - wait: 2
  - write:
      path: test/card.test.ts
      text: |
        import assert from 'node:assert/strict';
        import test from 'node:test';
        import {worth} from '../src/card.ts';

        test('a card with ten stamps is worth a tea', () => {
        	assert.equal(worth(10), 250);
        });
  - checkpoint:
      progress: 80
      changes:
        - {file: src/card.ts, action: created, description: a tea for every ten stamps}
        - {file: test/card.test.ts, action: created, description: ten stamps are worth 2.50}
      questions: []
      request: CONTINUE
  - say: In my worktree price() takes one argument, so this is right here.
  - wait: 2
  - complete:
      deliverables: [src/card.ts, test/card.test.ts]
when:
  - says: MERGE CONFLICT
    steps:
      - think: price() wants a size now, and a loyal guest gets a small tea.
      - say: "PROGRESS: Card - naming the size in the call"
      - wait: 3
      - edit:
          path: src/card.ts
          find: price('tea')
          replace: price('tea', 'small')
      - wait: 2
      - complete:
          deliverables: [src/card.ts, test/card.test.ts]
`;

/** The agent that gives \`price()\` a second argument, and mends every call that it can see. */
export const sizes = `steps:
  - say: "PROGRESS: Sizes - price() takes the size of the cup"
  - wait: 2
  - write:
      path: src/price.ts
      text: |
        const menu = {tea: 250, cake: 380, sandwich: 540};

        export type Item = keyof typeof menu;

        export type Size = 'small' | 'large';

        /** Returns what an item of a size costs, in cents; a large one is half as much again. */
        export const price = (item: Item, size: Size): number => {
        	const factors = {small: 1, large: 1.5};
        	return menu[item] * factors[size];
        };
  - wait: 2
  - write:
      path: src/total.ts
      text: |
        import {type Item, price, type Size} from './price.ts';

        export type Order = {readonly item: Item; readonly size: Size};

        /** Returns what a guest pays, in cents. */
        export const total = (orders: readonly Order[]): number =>
        	orders.reduce((cents, {item, size}) => cents + price(item, size), 0);
  - wait: 1
  - write:
      path: test/total.test.ts
      text: |
        import assert from 'node:assert/strict';
        import test from 'node:test';
        import {total} from '../src/total.ts';

        test('a large tea and a small cake cost 7.55', () => {
        	const tea = {item: 'tea', size: 'large'} as const;
        	const cake = {item: 'cake', size: 'small'} as const;
        	assert.equal(total([tea, cake]), 755);
        });
  - checkpoint:
      progress: 70
      changes:
        - {file: src/price.ts, action: modified, description: "price(item, size)"}
        - {file: src/total.ts, action: modified, description: an order names the size}
        - {file: test/total.test.ts, action: modified, description: a large tea and a small cake}
      questions: []
      request: CONTINUE
  - say: "PROGRESS: Sizes - every call in sight has a size now"
  - wait: 3
  - complete:
      deliverables: [src/price.ts, src/total.ts, test/total.test.ts]
`;

/** The scopes share no file: git has nothing to say about what goes wrong here. */
export const plan = `version: 1
task: Sell cups in two sizes, and give loyal guests a free tea
context: The till of a tea house, in plain TypeScript. All amounts are cents.
success: [node --test passes]
target: main
verify: [node --experimental-strip-types --test --test-reporter=spec]
agents:
  - subtask: Cups in two sizes
    goal: price() takes the size of the cup; a large one costs half as much again
    scope: {allowed: [src/price.ts, src/total.ts, test/total.test.ts]}
    agent: sizes
  - subtask: A card for loyal guests
    goal: worth() tells what a card of ten stamps is worth; a test shows it
    scope: {allowed: [src/card.ts, test/card.test.ts]}
    agent: card
`;

/** A till in TypeScript, so that a compiler has a say in what fits together. */
export const files: Readonly<Record<string, string>> = {
	'README.md': `# Till

The till of a tea house. All amounts are cents. \`node --test\` checks it.
`,
	'package.json': `{
	"name": "till",
	"private": true,
	"type": "module"
}
`,
	'tsconfig.json': `{
	"compilerOptions": {
		"strict": true,
		"noEmit": true,
		"module": "nodenext",
		"allowImportingTsExtensions": true,
		"types": []
	},
	"include": ["src"]
}
`,
	'src/price.ts': `const menu = {tea: 250, cake: 380, sandwich: 540};

export type Item = keyof typeof menu;

/** Returns what an item costs, in cents. */
export const price = (item: Item): number => menu[item];
`,
	'src/total.ts': `import {type Item, price} from './price.ts';

/** Returns what a guest pays, in cents. */
export const total = (items: readonly Item[]): number =>
	items.reduce((cents, item) => cents + price(item), 0);
`,
	'test/total.test.ts': `import assert from 'node:assert/strict';
import test from 'node:test';
import {total} from '../src/total.ts';

test('a tea and a cake cost 6.30', () => {
	assert.equal(total(['tea', 'cake']), 630);
});
`,
};

/** Two agents that git can merge without a word, and whose merge does not work. */
export const collisions: Scene = {
	summary: 'two agents that break each other where git sees nothing',
	opening: `Two agents will work on a small program in TypeScript, the till of a tea house.
They share no file, so git can merge them without a word, and each one’s tests
pass; yet one changes a function that the other calls. Repository, git, compiler
and checks are real; the agents play scenes over the Agent Client Protocol, and
the person who decides is a script: its decisions are marked "by: demo".`,
	closing: `You saw a collision told while both agents were still at work, with the lines of
both and the compiler’s own error; the same one asked about before anything was
merged, and one way out checked before it was chosen; and one agent that mended
its call on top of the other’s work.`,
	files,
	plan,
	cast: {sizes: {scene: sizes}, card: {scene: card}},
	decisions,
};
