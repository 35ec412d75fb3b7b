/** The agent that means well and writes where it may not: once with a request, once behind everybody's back. */
export const receipt = String.raw`steps:
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
