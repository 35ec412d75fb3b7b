import {defined} from '../../lib/defined.ts';
import {reasons} from '../../rules/plan/completeness.ts';
import type {AgentProfile} from '../../rules/plan/fields.ts';
import {findProfile} from '../../rules/plan/profile.ts';
import {whyBadGlob} from '../../state/agent/scope.ts';
import {print} from '../output.ts';
import {type Questions, withQuestions} from '../questions.ts';
import type {SubtaskWords} from './subtask-text.ts';

/** Asks the person at the terminal for what an agent's part needs and they didn't say, each with the reason; an empty line leaves it out. */
export const askForRest = (
	words: SubtaskWords & {readonly subtask: string},
	profiles: Readonly<Record<string, AgentProfile>>,
): Promise<SubtaskWords & {readonly subtask: string}> =>
	withQuestions('Nothing was added.', async questions => {
		const {ask} = questions;
		const subtask = words.subtask || (await ask('What is it to do? '));
		const globs = `Where may it write? Globs; without any ${reasons.allowed}: `;
		const scope = words.scope ?? globsIn(await usable(questions, globs, whyNoScope));
		const which = `Which agent does it? One of ${Object.keys(profiles).join(', ')}; claude if empty: `;
		const agent =
			words.agent ??
			(words.bestOf === undefined
				? await usable(questions, which, name => whyNoAgent(name, profiles))
				: '');
		const goal = words.goal ?? (await ask(`What does done mean for it? Else ${reasons.goal}: `));
		return {
			...words,
			subtask,
			...defined({scope, agent: agent || undefined, goal: goal || undefined}),
		};
	});

/** Asks again for as long as an answer is of no use; why is printed. */
const usable = async (
	{ask}: Questions,
	question: string,
	whyNot: (answer: string) => string | undefined,
): Promise<string> => {
	for (;;) {
		const answer = await ask(question);
		const why = answer === '' ? undefined : whyNot(answer);
		if (why === undefined) {
			return answer;
		}

		print(why);
	}
};

const globsIn = (answer: string): readonly string[] | undefined =>
	answer === '' ? undefined : answer.split(/\s+/);

const whyNoScope = (answer: string): string | undefined => {
	const bad = (globsIn(answer) ?? []).find(glob => whyBadGlob(glob) !== undefined);
	return bad === undefined ? undefined : `The glob ${bad} ${whyBadGlob(bad)}.`;
};

const whyNoAgent = (
	name: string,
	profiles: Readonly<Record<string, AgentProfile>>,
): string | undefined => {
	const found = findProfile(name, profiles);
	return 'why' in found ? [found.why.message, found.why.hint].join(' ').trim() : undefined;
};
