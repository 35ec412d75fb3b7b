import {execFile} from 'node:child_process';
import {platform} from 'node:os';
import {setImmediate} from 'node:timers/promises';
import {promisify} from 'node:util';
import {programPath} from './find-program.ts';

export const desktopNotifier: string = platform() === 'darwin' ? 'osascript' : 'notify-send';

export type DesktopNotification = {
	readonly title: string;
	readonly text: string;
	readonly urgent: boolean;
};

/**
Shows a desktop notification by the system's own program.

@throws an error where there is no such program, no desktop, or no answer in ten seconds.
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

/** No text is taken for an option, markup or script. */
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

const keyboardSignals = ['SIGINT', 'SIGQUIT'] as const;

/** Ignores keyboard signals while another program has the terminal: they are meant for that program. */
export const lendTerminal = async <Result>(work: () => Promise<Result>): Promise<Result> => {
	for (const signal of keyboardSignals) {
		process.on(signal, ignore);
	}

	try {
		return await work();
	} finally {
		// Such a signal may be read after the end of the program that it ended, and libraries end a process that has no other listener; a whole turn of the event loop lies between two of these.
		await setImmediate();
		await setImmediate();
		for (const signal of keyboardSignals) {
			process.off(signal, ignore);
		}
	}
};

const ignore = (): void => {};
