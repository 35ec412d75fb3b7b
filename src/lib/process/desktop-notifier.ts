import {execFile} from 'node:child_process';
import {platform} from 'node:os';
import {promisify} from 'node:util';
import {programPath} from './find-program.ts';

export const desktopNotifier: string = platform() === 'darwin' ? 'osascript' : 'notify-send';

export type DesktopNotification = {
	readonly title: string;
	readonly text: string;
	readonly urgent: boolean;
};

/**
Shows a desktop notification with the system's own program.

@throws an error if there is no such program, no desktop, or no answer in ten seconds.
*/
export const notifyDesktop = async (
	notification: DesktopNotification,
	environment: NodeJS.ProcessEnv,
): Promise<void> => {
	const program = programPath(desktopNotifier, environment.PATH);
	if (program === undefined) {
		throw new Error(`no ${desktopNotifier} was found`);
	}

	await promisify(execFile)(program, words(notification), {env: environment, timeout: 10_000});
};

/** Returns arguments in which no text can be taken for an option, markup or script. */
const words = ({title, text, urgent}: DesktopNotification): readonly string[] =>
	desktopNotifier === 'osascript'
		? ['-e', script, title, text]
		: [
				'--app-name=delegate-tui',
				`--urgency=${urgent ? 'critical' : 'normal'}`,
				'--',
				title,
				withoutMarkup(text),
			];

const script =
	'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run';

const withoutMarkup = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
