import {joining} from './joining.ts';

/** The agent that shows what it has before it goes on. */
export const tip = `steps:
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
