/** Each agent's own test passes; only the first one's change makes the second one's test wrong. */
export const plan = `version: 1
task: Raise the price of cake, and sell leftovers cheaper
context: The till of a tea house, in plain JavaScript. All amounts are cents.
success: [node --test passes]
target: main
verify: [node --test --test-reporter=spec]
agents:
  - subtask: A new price for cake
    goal: cake costs 4.20, in the menu and in the tests
    scope: {allowed: [src/menu.js, test/total.test.js]}
    agent: price
  - subtask: Leftovers after closing time
    goal: leftover() halves what cake costs after closing time; a test shows it
    scope: {allowed: [src/leftover.js, test/leftover.test.js]}
    agent: leftover
`;
