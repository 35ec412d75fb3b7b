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
