import {files} from '../play.ts';
import {accept, approve, approvePlan, type Scene} from '../scene.ts';

const hours = `steps:
  - say: "PROGRESS: Hours - looking for the opening hours"
  - wait: 2
  - stop:
      details: hours.txt is missing, which the office keeps
      needs: "run \`echo 9-18 > hours.txt\` first"
  - say: The hours are here now.
  - wait: 2
  - write:
      path: src/hours.js
      text: |
        /** When the house is open. */
        export const hours = {from: 9, to: 18};
  - complete:
      deliverables: [src/hours.js]
`;

const plan = `version: 1
task: Let the till know when the house is open
context: The till of a tea house, in plain JavaScript.
target: main
verify: [node --test --test-reporter=spec]
agents:
  - subtask: Write the opening hours down
    goal: src/hours.js has them
    scope: {allowed: [src/hours.js]}
    agent: hours
`;

/** An agent that can't go on before something is there, and a person who has it made. */
export const stopWork: Scene = {
	summary: 'a blocked agent, and the command that it needs, run in its worktree',
	opening: `One agent will stop, since a file is missing that it needs. What it asks for is run
in its worktree, and it goes on where it stood. Repository, git and checks are real;
the agent plays a scene over the Agent Client Protocol, and the person who decides is
a script: its decisions are marked "by: demo".`,
	closing: `You saw a blocked agent, a command run in its worktree, and its exit code and last
lines told to the agent; what the command made outside the scope is in no merge.`,
	files,
	plan,
	cast: {hours: {scene: hours}},
	decisions: [
		approvePlan('One agent, and one file that it may write.'),
		{
			kind: 'blocker',
			agent: 'AGT-001',
			choice: 'run',
			note: 'echo 9-18 > hours.txt',
			why: 'The office says from 9 to 18. The file is made where the agent looks for it.',
		},
		accept('AGT-001', 'These are the hours.'),
		approve('The check passed on exactly this tree.'),
	],
};
