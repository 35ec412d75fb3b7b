import type {Check} from './check.ts';

/** The launcher has refused what is too old already, so this only tells which one runs. */
export const checkNode: Check = async () => [
	{check: 'node', level: 'good', text: `Node.js ${process.versions.node} (${process.execPath})`},
];
