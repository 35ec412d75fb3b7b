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
