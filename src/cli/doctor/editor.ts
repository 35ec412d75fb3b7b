import {editorIn} from '../edit-file.ts';
import type {Check} from './check.ts';
import {executablePath} from './programs/executable-path.ts';

/** Is there an editor for what a person resolves by hand? */
export const checkEditor: Check = async ({environment}) => {
	const editor = editorIn(environment);
	if (editor === undefined) {
		return [
			{
				check: 'editor',
				level: 'absent',
				text: 'no editor is named by VISUAL or EDITOR, so none is opened from the screen',
				hint: 'set one of them, such as EDITOR=vim',
			},
		];
	}

	const {command, variable} = editor;
	const [program = ''] = command.split(/\s+/);
	// A shell reads it; what begins with more than a plain word is left to that.
	const isPlain = /^[\w./~+-]+$/.test(program) && !program.startsWith('~');
	return [
		isPlain && executablePath(program, environment) === undefined
			? {
					check: 'editor',
					level: 'warn',
					text: `${variable} names ${command}, and no ${program} was found`,
					hint: `set ${variable} to one that is installed`,
				}
			: {check: 'editor', level: 'good', text: `${command} (named by ${variable})`},
	];
};
