/** The agent that says far too much on the way to decent work. */
export const loyalty = `steps:
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
