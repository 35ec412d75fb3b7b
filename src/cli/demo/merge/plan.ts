/** The first two scopes overlap on purpose: both agents have to change `src/total.js`. */
export const plan = `version: 1
task: Teach the till discounts, tips and receipts
context: The till of a tea house, in plain JavaScript. All amounts are cents.
success: [node --test passes]
target: main
verify: [node --test --test-reporter=spec]
agents:
  - subtask: Discount for regular guests
    goal: total() takes the discount off; a test shows it
    scope: {allowed: [src/discount.js, src/total.js, test/discount.test.js]}
    agent: discount
  - subtask: Tip for the staff
    goal: total() adds the tip; a test shows it
    scope: {allowed: [src/tip.js, src/total.js, test/tip.test.js]}
    agent: tip
  - subtask: Receipt to take home
    goal: receipt() lists the items and the total; a test shows it
    scope: {allowed: [src/receipt.js, test/receipt.test.js]}
    agent: receipt
`;
