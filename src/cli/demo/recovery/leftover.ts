/** The agent that lacks something, and whose test knows a price that is about to change. */
export const leftover = `steps:
  - say: "PROGRESS: Leftovers - looking for the closing time"
  - wait: 2
  - stop:
      details: Nothing here says when the house closes
      needs: The closing time, or leave to begin without it
  - say: "PROGRESS: Leftovers - writing src/leftover.js"
  - wait: 2
  - write:
      path: src/leftover.js
      text: |
        import {menu} from './menu.js';

        /** Returns what a cake costs, in cents; half after closing time. */
        export const leftover = ({closed = false} = {}) => (closed ? menu.cake / 2 : menu.cake);
  - wait: 2
  - write:
      path: test/leftover.test.js
      text: |
        import assert from 'node:assert/strict';
        import test from 'node:test';
        import {leftover} from '../src/leftover.js';

        test('cake is half the price after closing time', () => {
        	assert.equal(leftover({closed: true}), 190);
        });
  - wait: 2
  - complete:
      deliverables: [src/leftover.js, test/leftover.test.js]
when:
  - says: REVIEW FEEDBACK
    steps:
      - say: "PROGRESS: Leftovers - taking the price from the menu in the test, too"
      - wait: 3
      - write:
          path: test/leftover.test.js
          text: |
            import assert from 'node:assert/strict';
            import test from 'node:test';
            import {leftover} from '../src/leftover.js';
            import {menu} from '../src/menu.js';

            test('cake is half the price after closing time', () => {
            	assert.equal(leftover({closed: true}), menu.cake / 2);
            });
      - wait: 1
      - complete:
          deliverables: [src/leftover.js, test/leftover.test.js]
`;
