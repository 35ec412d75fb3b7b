/** By this plan nobody may write `test/menu.test.js`, and the first agent will want to. */
export const plan = `version: 1
task: Put scones on the menu, and count loyal guests
context: The till of a tea house, in plain JavaScript. All amounts are cents.
success: [node --test passes]
target: main
verify: [node --test --test-reporter=spec]
agents:
  - subtask: Scones on the menu
    goal: the menu has scones for 3.20
    scope: {allowed: [src/menu.js], forbidden: [test/total.test.js]}
    agent: menu
  - subtask: A card for loyal guests
    goal: stamps() counts the teas of an order; a test shows it
    scope: {allowed: [src/loyalty.js, test/loyalty.test.js]}
    agent: loyalty
`;
