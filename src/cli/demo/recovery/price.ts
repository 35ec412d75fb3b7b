/** The agent that crashes half-way, with its work on the disk. */
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
      - say: It is a test of the leftovers that knows the old price. The new one is as it was asked for.
      - complete:
          deliverables: [src/menu.js, test/total.test.js]
`;
