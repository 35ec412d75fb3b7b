import type {Question} from '../../signals/index.ts';

/** Returns what an answer to a question must be like, a phrase each; nothing where any text is one. */
export const expectedAnswer = (
	{type, pattern, multi, required}: Pick<Question, 'type' | 'pattern' | 'multi' | 'required'>,
	/** How several options are told, where they are not typed. */
	severally = 'separated by commas',
): readonly string[] =>
	[
		pattern === undefined || type !== 'regex' ? kindOfText(type) : undefined,
		pattern === undefined ? undefined : `a text that matches ${pattern}`,
		multi === true ? `one or several options, ${severally}` : undefined,
		required ? undefined : 'only if you have one',
	].filter(phrase => phrase !== undefined);

/** That it is one of the options is seen by them. */
const kindOfText = (type: Question['type']): string | undefined => {
	switch (type) {
		case 'yes-no':
			return 'yes or no';
		case 'number':
			return 'a number';
		case 'path':
			return 'a path in its worktree, within its scope';
		case 'regex':
			return 'a regular expression';
		case 'choice':
		case 'text':
		case undefined:
			return undefined;
	}
};
