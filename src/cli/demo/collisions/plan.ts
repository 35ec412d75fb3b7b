/** The scopes share no file: git has nothing to say about what goes wrong here. */
export const plan = `version: 1
task: Sell cups in two sizes, and give loyal guests a free tea
context: The till of a tea house, in plain TypeScript. All amounts are cents.
success: [node --test passes]
target: main
verify: [node --experimental-strip-types --test --test-reporter=spec]
agents:
  - subtask: Cups in two sizes
    goal: price() takes the size of the cup; a large one costs half as much again
    scope: {allowed: [src/price.ts, src/total.ts, test/total.test.ts]}
    agent: sizes
  - subtask: A card for loyal guests
    goal: worth() tells what a card of ten stamps is worth; a test shows it
    scope: {allowed: [src/card.ts, test/card.test.ts]}
    agent: card
`;
