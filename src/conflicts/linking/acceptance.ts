import type {Call, LanguageName, Parameters} from '../source/facts.ts';

/** Whether parameters take a call, or why not. */
export type Acceptance = 'taken' | 'too few' | 'too many' | 'unknown keyword' | 'missing keyword';

/** Returns whether a call fits parameters, in a language that looks. */
export const acceptance = (parameters: Parameters, call: Call): Acceptance => {
	const {names, keywords = []} = parameters;
	const byName = call.keywords.filter(keyword => names.includes(keyword));
	const given = call.count + byName.length;
	const unknown = call.keywords.filter(
		keyword => !names.includes(keyword) && !keywords.includes(keyword),
	);
	if (unknown.length > 0 && !parameters.takesAnyKeyword) {
		return 'unknown keyword';
	}

	if (parameters.requiredKeywords?.some(keyword => !call.keywords.includes(keyword))) {
		return 'missing keyword';
	}

	return given < parameters.min ? 'too few' : given > parameters.max ? 'too many' : 'taken';
};

/** Whether a call that doesn't fit fails: in JavaScript what is missing is only undefined. */
export const failsUnlessTaken = (language: LanguageName): boolean => language !== 'javascript';
