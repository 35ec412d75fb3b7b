import {desktopNotifier} from '../../lib/process/desktop-notifier.ts';
import {programPath} from '../../lib/process/find-program.ts';
import type {Check, Finding} from './check.ts';
import {configFor} from './config-for.ts';

/** Can a notification be shown on the desktop? */
export const checkNotifier: Check = async context => {
	const config = await configFor(context);
	const isOff = config.kind === 'read' && !config.config.notify.desktop;
	return [isOff ? off : await findingFor(context.environment)];
};

const off: Finding = {
	check: 'notifier',
	level: 'absent',
	text: 'notifications on the desktop are turned off in the config',
};

const findingFor = async (environment: NodeJS.ProcessEnv): Promise<Finding> => {
	const path = programPath(desktopNotifier, environment.PATH);
	return path !== undefined
		? {check: 'notifier', level: 'good', text: `${desktopNotifier} (${path})`}
		: {
				check: 'notifier',
				level: 'absent',
				text: `no ${desktopNotifier} was found, which shows notifications on the desktop`,
				hint: 'install it (libnotify-bin on Debian), or do without',
			};
};
