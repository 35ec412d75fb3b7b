import type {FieldHelp} from './definition.ts';

/** Returns what a field is for, with what each of several may say below it. */
export const fieldText = ({name, type, presence, meaning, parts = []}: FieldHelp): string =>
	[
		`- ${name} (${type}${presence === 'required' ? ', required' : ''}): ${meaning}`,
		...parts.map(part => `  ${fieldText(part)}`),
	].join('\n');
