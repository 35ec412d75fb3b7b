import type {Check} from './check.ts';

/** Can it be made sure that all that an agent starts ends with it? */
export const checkProcesses: Check = async ({containment: {level, why}}) => [
	level === 'namespace'
		? {check: 'processes', level: 'good', text: `all that an agent starts ends with it (${why})`}
		: {
				check: 'processes',
				level: 'warn',
				text: `what an agent starts can hide from being ended: ${why}`,
				hint: 'on Linux allow user namespaces, or install bubblewrap',
			},
];
