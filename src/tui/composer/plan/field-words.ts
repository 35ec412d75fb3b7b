import type {Desk} from '../desk.ts';
import type {Field} from '../model/composition.ts';

/** What a field is called, as the plan's own view calls it. */
export const labels: Readonly<Record<Field['part'], string>> = {
	task: 'Task',
	verify: 'Check',
	target: 'Merges into',
	subtask: 'Subtask',
	goal: 'Goal',
	allowed: 'May write',
	forbidden: 'Never',
	agent: 'Agent',
};

/** What stands in a field while nothing is written in it. */
export const placeholder = ({part}: Field, desk: Desk): string => {
	switch (part) {
		case 'target':
			return desk.branch === undefined ? 'no branch is checked out: name one' : desk.branch;
		case 'verify':
			return 'nothing: the merged result will not be tested';
		case 'allowed':
			return 'nothing: it can only read';
		default:
			return '';
	}
};

/** What to write in a field, in one line. */
export const advice = ({part}: Field, {profiles}: Desk): string => {
	const names = Object.keys(profiles);
	switch (part) {
		case 'task':
			return 'What is to be done, all agents together.';
		case 'verify':
			return 'Commands that test the merged result, one a line, such as npm test.';
		case 'target':
			return 'The branch that the result is merged into; empty means the one you are on.';
		case 'subtask':
			return 'What this agent is to do, in a few words: what to change, and where.';
		case 'goal':
			return 'What done means for this agent.';
		case 'allowed':
			return 'Globs with spaces between, such as src/api/** test/api/**; quote a space.';
		case 'forbidden':
			return 'Globs that it may never write, though they lie in what it may.';
		case 'agent':
			return names.length === 0
				? 'A command line, such as bash agent.sh, or acp: gemini --acp.'
				: `A profile (${names.join(', ')}), or a command: bash agent.sh, acp: gemini --acp.`;
	}
};
