/** Both agents need to know how a till rounds, and neither of them can know it. */
export const plan = `version: 1
task: Split a bill between guests, and take a discount off
context: The till of a tea house, in plain JavaScript. All amounts are cents.
success: [node --test passes]
target: main
verify: [node --test --test-reporter=spec]
agents:
  - subtask: A discount for regular guests
    goal: discounted() takes the discount off; a test shows it
    scope: {allowed: [src/discount.js, test/discount.test.js]}
    agent: discount
  - subtask: One bill for several guests
    goal: split() tells what each of them pays; a test shows it
    scope: {allowed: [src/split.js, test/split.test.js]}
    agent: split
`;
