import {sandboxOf} from '../../supervisor/supervisor-started.ts';
import type {Check} from './check.ts';
import {configFor} from './config-for.ts';

/** What keeps an agent from what is not its business, besides being asked? */
export const checkSandbox: Check = async context => {
	const config = await configFor(context);
	const wanted = config.kind === 'read' ? config.config.sandbox : 'auto';
	const {level, why} = sandboxOf(context.containment);
	if (wanted === 'required') {
		return [
			{
				check: 'sandbox',
				level: 'bad',
				text: 'the config requires a sandbox, and this version has none yet',
				hint: 'set "sandbox: auto" to let agents run with your own rights',
			},
		];
	}

	return [
		{
			check: 'sandbox',
			level: level === 'none' ? 'warn' : 'good',
			text: `level "${level}": ${why}`,
		},
	];
};
