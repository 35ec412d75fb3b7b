import {join, relative} from 'node:path';
import {isThere} from '../../lib/files/is-there.ts';

/**
Returns a file's text with the comment by which editors find its schema.

Only where the program is a dependency of the project its schemas are at a place that stays; anywhere else nothing is added.
*/
export const withSchema = async (
	kind: 'plan' | 'config',
	{root, folder}: {readonly root: string; readonly folder: string},
	text: string,
): Promise<string> => {
	const schema = join(root, 'node_modules/delegate-tui/schemas', `${kind}.schema.json`);
	return (await isThere(schema))
		? `# yaml-language-server: $schema=${relative(folder, schema)}\n${text}`
		: text;
};
