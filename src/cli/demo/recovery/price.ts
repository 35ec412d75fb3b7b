/** The agent that crashes half-way, with its work on the disk; what it lacks where that is taken as it is, it brings when it is sent back. */
export const price = `steps:
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
