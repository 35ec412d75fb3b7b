import {isAlias, parseDocument, visit} from 'yaml';
import type {Plan} from '../../events/plan.ts';
import {reasons} from '../../rules/plan/check.ts';
import type {AgentProfile} from '../../rules/plan/fields.ts';
import {findProfile} from '../../rules/plan/profile.ts';
import {whyBadGlob} from '../../state/agent/scope.ts';
import {print} from '../output.ts';
import {type TerminalQuestions, withQuestions} from '../questions.ts';

/**
Returns the text of a plan file with the missing parts that the person adds at the terminal, each asked for with the reason; an empty line leaves it out. The file itself is not changed.

@param isAbsent Returns whether the program of an agent can't be started here.
*/
export const withMissing = (
	text: string,
	{context, success, agents}: Plan,
	{
		profiles,
		isAbsent,
	}: {
		readonly profiles: Readonly<Record<string, AgentProfile>>;
		readonly isAbsent: (agent: string) => boolean;
	},
): Promise<string> =>
	withQuestions('Nothing was started.', async questions => {
		const {ask} = questions;
		const document = parseDocument(text);
		visit(document, (_, node) => (isAlias(node) ? node.resolve(document) : undefined));
		const put = (path: readonly (string | number)[], value: string | readonly string[]): void => {
			if (value.length > 0) {
				document.setIn(path, document.createNode(value));
			}
		};
		if (context === undefined) {
			put(
				['context'],
				await ask(`What should every agent know of this repository? Else ${reasons.context}: `),
			);
		}

		if (success.length === 0 && agents.some(({metrics}) => metrics.length === 0)) {
			const question = `What is the result measured by, such as npm test passes? Else ${reasons.metrics}: `;
			put(['success'], listOf(await ask(question)));
		}

		// Rivals are one entry of the file.
		const entries = agents.filter(({id, bestOf = id}) => bestOf === id);
		for (const [index, {id, subtask, goal, bestOf}] of entries.entries()) {
			const at = (...keys: readonly string[]) => ['agents', index, ...keys];
			if (goal === undefined) {
				const question = `What does done mean for ${id}, "${subtask}"? Else ${reasons.goal}: `;
				put(at('goal'), await ask(question));
			}

			if (!document.hasIn(at('scope', 'allowed'))) {
				const question = `Where may ${id} write? Globs; without any ${reasons.allowed}: `;
				put(
					at('scope', 'allowed'),
					answeredGlobs(await usable(questions, question, whyNoScope)) ?? [],
				);
			}

			if (bestOf === undefined && (!document.hasIn(at('agent')) || isAbsent(id))) {
				const why = isAbsent(id) ? `The program of ${id} is not installed. ` : '';
				const question = `${why}Which agent does it? One of ${Object.keys(profiles).join(', ')}; empty leaves it as it is: `;
				put(at('agent'), await usable(questions, question, name => whyNoAgent(name, profiles)));
			}
		}

		return document.toString({lineWidth: 0});
	});

const listOf = (answer: string): readonly string[] => (answer === '' ? [] : [answer]);

/** Asks again while an answer is invalid, and prints the reason. */
export const usable = async (
	{ask}: TerminalQuestions,
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

export const answeredGlobs = (answer: string): readonly string[] | undefined =>
	answer === '' ? undefined : answer.split(/\s+/);

export const whyNoScope = (answer: string): string | undefined =>
	whyBadScope(answeredGlobs(answer) ?? []);

export const whyBadScope = (globs: readonly string[]): string | undefined => {
	const bad = globs.find(glob => whyBadGlob(glob) !== undefined);
	return bad === undefined ? undefined : `The glob ${bad} ${whyBadGlob(bad)}.`;
};

export const whyNoAgent = (
	name: string,
	profiles: Readonly<Record<string, AgentProfile>>,
): string | undefined => {
	const found = findProfile(name, profiles);
	return 'why' in found ? [found.why.message, found.why.hint].join(' ').trim() : undefined;
};
