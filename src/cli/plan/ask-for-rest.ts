import {defined} from '../../lib/defined.ts';
import {reasons} from '../../rules/plan/completeness.ts';
import type {AgentProfile} from '../../rules/plan/fields.ts';
import {withQuestions} from '../questions.ts';
import type {SubtaskWords} from './subtask-text.ts';

/** Asks the person at the terminal for what an agent's part needs and they didn't say, each with the reason; an empty line leaves it out. */
export const askForRest = (
	words: SubtaskWords & {readonly subtask: string},
	profiles: Readonly<Record<string, AgentProfile>>,
): Promise<SubtaskWords & {readonly subtask: string}> =>
	withQuestions('Nothing was added.', async questions => {
		const ask = async (question: string): Promise<string | undefined> =>
			(await questions.ask(`${question} `)) || undefined;
		const subtask = words.subtask || (await ask('What is it to do?')) || '';
		const scope =
			words.scope ??
			(await ask(`Where may it write? Globs; without any ${reasons.allowed}:`))?.split(/\s+/);
		const names = Object.keys(profiles).join(', ');
		const agent =
			words.agent ??
			(words.bestOf === undefined
				? await ask(`Which agent does it? One of ${names}; claude if empty:`)
				: undefined);
		const goal = words.goal ?? (await ask(`What does done mean for it? Else ${reasons.goal}:`));
		return {...words, subtask, ...defined({scope, agent, goal})};
	});
