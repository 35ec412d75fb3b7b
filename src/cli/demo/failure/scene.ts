import {files} from '../play.ts';
import {accept, approve, approvePlan, type Scene} from '../scene.ts';

/** Does one of two things and says so; told to try again, it does the other one, too. */
const opening = `steps:
  - say: "PROGRESS: Hours - writing src/hours.js"
  - wait: 3
  - write:
      path: src/hours.js
      text: |
        /** When the house is open. */
        export const hours = {from: 9, to: 18};
  - wait: 2
  - say: The holidays are in a calendar that I can’t reach.
  - complete:
      status: partial
      deliverables: [src/hours.js]
      recommendations: [Ask the office for the holidays]
  - say: "PROGRESS: Hours - leaving the holidays to the office"
  - wait: 1
  - write:
      path: src/holidays.js
      text: |
        /** Days on which the house is closed; the office fills them in. */
        export const holidays = [];
  - complete:
      deliverables: [src/hours.js, src/holidays.js]
`;

/** Plays both: the agent that crashes twice, and the one that its task is given to. */
const tables = `steps:
  - say: "PROGRESS: Tables - counting the tables"
  - wait: 2
  - crash: {code: 137, complaint: "Killed: out of memory"}
  - say: "PROGRESS: Tables - counting them once more"
  - wait: 2
  - crash: {code: 137, complaint: "Killed: out of memory"}
  - wait: 1
  - write: &tables
      path: src/tables.js
      text: |
        /** How many tables there are, by the seats they have. */
        export const tables = {2: 6, 4: 3};
  - complete:
      deliverables: [src/tables.js]
when:
  - says: REVIEW FEEDBACK
    steps:
      - say: I have looked at it again, and would leave it as it is.
      - complete:
          deliverables: [src/tables.js]
  - says: "was to do this before"
    steps:
      - say: "PROGRESS: Tables - reading the number from the floor plan"
      - wait: 2
      - write: *tables
      - complete:
          deliverables: [src/tables.js]
`;

const plan = `version: 1
task: Let the till know its house
context: The till of a tea house, in plain JavaScript.
success: [node --test passes]
target: main
verify: [node --test --test-reporter=spec]
agents:
  - subtask: Write the opening hours and the holidays down
    goal: src/hours.js and src/holidays.js have them
    scope: {allowed: [src/hours.js, src/holidays.js]}
    agent: opening
  - subtask: Write the tables down
    goal: src/tables.js tells how many tables there are
    scope: {allowed: [src/tables.js]}
    agent: tables
`;

/** Agents that fail, and what a person can make of it. */
export const failure: Scene = {
	summary: 'agents that fail: what is done is kept, the rest is tried again or given to another',
	opening: `Two agents will fail. One gets half of its work done and says so; the other crashes,
and crashes again when it is started once more. Neither ends the session, and no work
is lost. Repository, git, processes and checks are real; the agents play scenes over
the Agent Client Protocol, and the person who decides is a script: its decisions are
marked "by: demo".`,
	closing: `You saw half of a task kept and merged, a crash told with its cause and tried again
with advice, and a task that went to a new agent, which was told why the first failed.`,
	files,
	plan,
	cast: {opening: {scene: opening}, tables: {scene: tables}},
	decisions: [
		approvePlan('Two agents, and no file is in both scopes.'),
		{
			kind: 'failure',
			agent: 'AGT-002',
			choice: 'retry',
			note: 'Count them one by one, not all at once.',
			why: 'A crash may be bad luck. It is told what happened, and goes on where it stood.',
		},
		{
			kind: 'failure',
			agent: 'AGT-002',
			choice: 'redistribute',
			why: 'The same again: this agent won’t get there. Its task goes to a new one.',
		},
		{
			kind: 'failure',
			agent: 'AGT-001',
			choice: 'salvage',
			note: 'src/hours.js',
			why: 'The hours are right and wanted now; the holidays can come later.',
		},
		accept('AGT-003', 'Six small tables, three large ones.'),
		approve('The check passed on exactly this tree.'),
	],
};
