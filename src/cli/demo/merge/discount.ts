import {joining} from './joining.ts';

/** The agent that asks before it guesses; the answer becomes the program's constant. */
export const discount = `steps:
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
