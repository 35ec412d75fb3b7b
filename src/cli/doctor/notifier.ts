import {platform} from 'node:os';
import {programPath} from '../../lib/process/find-program.ts';
import type {Check, Finding} from './check.ts';
import {configFor} from './config-for.ts';

/** Can a notification be shown on the desktop? */
export const checkNotifier: Check = async patient => {
	const config = await configFor(patient);
	const isOff = config.kind === 'read' && !config.config.notify.desktop;
	return [isOff ? off : await findingFor(patient.environment)];
};

const off: Finding = {
	check: 'notifier',
	level: 'absent',
	text: 'notifications on the desktop are turned off in the config',
};

/** What shows one, by the system; on others there is none. */
const programs: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
	darwin: 'osascript',
	linux: 'notify-send',
};

const findingFor = async (environment: NodeJS.ProcessEnv): Promise<Finding> => {
	const program = programs[platform()] ?? 'notify-send';
	const path = await programPath(program, environment.PATH);
	return path !== undefined
		? {check: 'notifier', level: 'good', text: `${program} (${path})`}
		: {
				check: 'notifier',
				level: 'absent',
				text: `no ${program} was found, which shows notifications on the desktop`,
				hint: 'install it (libnotify-bin on Debian), or do without',
			};
};
