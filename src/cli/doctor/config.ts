import type {Check} from './check.ts';
import {configFor} from './config-for.ts';

/** Can the config be used? */
export const checkConfig: Check = async context => {
	const config = await configFor(context);
	if (config.kind === 'unusable') {
		return config.problems.map(text => ({
			check: 'config',
			level: 'bad',
			text,
			hint: 'correct the file, or move it away to use the defaults',
		}));
	}

	const {asked, verdict} = config;
	if (asked.length > 0 && verdict === undefined) {
		return [
			{
				check: 'config',
				level: 'warn',
				text: `.delegate-tui.yaml waits for your yes: ${asked.join(', ')}`,
				hint: 'delegate-tui trust shows it, and asks you',
			},
		];
	}

	const files = config.sources.map(({file}) => file);
	return [
		{
			check: 'config',
			level: 'good',
			text: `${files.length === 0 ? 'none, so the defaults hold' : files.join(', over ')}${verdict === 'no' ? `, without ${asked.join(', ')} by your no` : ''}`,
		},
	];
};
