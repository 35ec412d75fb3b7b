import {desktopNotifier} from '../../lib/process/desktop-notifier.ts';
import {programPath} from '../../lib/process/find-program.ts';
import {editorIn} from '../edit-file.ts';
import {executablePath} from './agents.ts';
import {type Check, type CheckFinding, configFor} from './config.ts';

/** Checks for an editor for resolutions by hand. */
export const checkEditor: Check = async ({environment}) => {
	const editor = editorIn(environment);
	if (editor === undefined) {
		return [
			{
				level: 'absent',
				text: 'no editor is named by VISUAL or EDITOR, so none is opened from the screen',
				hint: 'set one of them, such as EDITOR=vim',
			},
		];
	}

	const {command, variable} = editor;
	const [program = ''] = command.split(/\s+/);
	// A shell parses it; a command that begins with more than a plain word is not checked.
	const isPlain = /^[\w./~+-]+$/.test(program) && !program.startsWith('~');
	return [
		isPlain && executablePath(program, environment) === undefined
			? {
					level: 'warn',
					text: `${variable} names ${command}, and no ${program} was found`,
					hint: `set ${variable} to one that is installed`,
				}
			: {level: 'good', text: `${command} (named by ${variable})`},
	];
};

/** Checks whether notifications can be shown on the desktop. */
export const checkNotifier: Check = async context => {
	const config = await configFor(context);
	const isOff = config.kind === 'read' && !config.config.notify.desktop;
	return [isOff ? off : await findingFor(context.environment)];
};

const off: CheckFinding = {
	level: 'absent',
	text: 'notifications on the desktop are turned off in the config',
};

const findingFor = async (environment: NodeJS.ProcessEnv): Promise<CheckFinding> => {
	const path = programPath(desktopNotifier, environment.PATH);
	return path !== undefined
		? {level: 'good', text: `${desktopNotifier} (${path})`}
		: {
				level: 'absent',
				text: `no ${desktopNotifier} was found, which shows notifications on the desktop`,
				hint: 'install it (libnotify-bin on Debian) if you want them',
			};
};
