/** Returns what an agent does when it is to bring its change of `src/total.js` in again, on top of the other's. */
export const joining = (phase: string, deliverables: string): string => `when:
  - says: MERGE CONFLICT
    steps:
      - think: Both changes are wanted, and a tip is on what the guest really pays.
      - say: "PROGRESS: ${phase} - joining both changes of src/total.js, the discount first"
      - wait: 3
      - write:
          path: src/total.js
          text: |
            import {discounted} from './discount.js';
            import {menu} from './menu.js';
            import {withTip} from './tip.js';

            /** Returns what a guest pays, in cents. */
            export const total = order => {
            	const sum = order.items.reduce((cents, item) => cents + menu[item], 0);
            	return withTip(discounted(sum, order), order);
            };
      - wait: 2
      - complete:
          deliverables: ${deliverables}
`;
