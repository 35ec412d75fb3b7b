import {instructions} from '../signals/instructions.ts';
import {toolReminder} from '../signals/tool-instructions.ts';

/**
Returns what an agent is to keep in mind through a long conversation, of which it may forget the beginning.

Without it, one whose first prompt was cut away would no longer know how to ask or to report. Whoever is handed our tools has them, with all they mean, in each request anyway.
*/
export const reminder = (hasTools: boolean): string =>
	hasTools
		? toolReminder()
		: [
				'You are one of several agents under a supervisor. Your first prompt told you your subtask and your scope; you speak to the supervisor by signals.',
				instructions(),
			].join('\n\n');
