import {files} from '../play.ts';
import {accept, approve, approvePlan, type Scene} from '../scene.ts';

/** Tells what it found by a tool. */
const menu = `steps:
  - say: "PROGRESS: Menu - reading src/menu.js"
  - wait: 2
  - tool:
      name: finding
      fields: {finding: The menu can be changed by whoever imports it, topic: menu, files: [src/menu.js]}
  - write:
      path: docs/menu.md
      text: |
        # Menu
        Prices in cents, by what they are for.
  - complete:
      deliverables: [docs/menu.md]
`;

/** Tells what it found in words. */
const total = `steps:
  - say: "PROGRESS: Total - reading src/total.js"
  - wait: 3
  - say: |
      [FINDING]
      finding: An item that is not on the menu makes the sum NaN
      topic: total
      files: [src/total.js]
      [/FINDING]
  - write:
      path: docs/total.md
      text: |
        # Total
        The sum of what the items of an order cost, in cents.
  - complete:
      deliverables: [docs/total.md]
`;

/** Appends what it found to a file, as any program can. */
const tests = `steps:
  - say: "PROGRESS: Tests - reading test/total.test.js"
  - wait: 4
  - write:
      path: .delegate/findings.jsonl
      text: |
        {"finding": "No test tries an empty order", "topic": "tests", "files": ["test/total.test.js"]}
  - write:
      path: docs/tests.md
      text: |
        # Tests
        \`node --test\` runs them; there is one for the total.
  - complete:
      deliverables: [docs/tests.md]
`;

const plan = `version: 1
task: Describe each part of the till, and tell what is odd about it
context: The till of a tea house, in plain JavaScript.
success: [each page is short and true]
target: main
verify: [node --test --test-reporter=spec]
agents:
  - subtask: Describe the menu
    goal: docs/menu.md tells what it is
    scope: {allowed: [docs/menu.md]}
    agent: menu
  - subtask: Describe the total
    goal: docs/total.md tells what it is
    scope: {allowed: [docs/total.md]}
    agent: total
  - subtask: Describe the tests
    goal: docs/tests.md tells what they are
    scope: {allowed: [docs/tests.md]}
    agent: tests
`;

/** Agents that add to one list that all of them share. */
export const findings: Scene = {
	summary: 'three agents that add what they find to one list',
	opening: `Three agents will go through the program, each through a part of its own, and add
what they find to one list that only grows: one by a tool, one in words, one through
a file. Each line is checked before it is added. Repository, git and checks are real;
the agents play scenes over the Agent Client Protocol, and the person who decides is
a script: its decisions are marked "by: demo".`,
	closing: `You saw three agents share one list without a file that all of them write: each finding
came in on its own way, and the supervisor added it. delegate-tui log tells them all.`,
	files,
	plan,
	cast: {menu: {scene: menu}, total: {scene: total}, tests: {scene: tests}},
	decisions: [
		approvePlan('Three agents, and a page for each to write.'),
		accept('AGT-001', 'Short and true.'),
		accept('AGT-002', 'It tells what the total is.'),
		accept('AGT-003', 'It tells how to run them.'),
		approve('Three pages, and the check passes as before.'),
	],
};
