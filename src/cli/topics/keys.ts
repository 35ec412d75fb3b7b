import {inColumns} from '../../lib/text/markdown-table.ts';
import {actions, keysTable} from '../../tui/keys.ts';

/** Returns the default keys of the screen, in columns. */
export const keysText = (): string => {
	const rows = keysTable(actions).map(cells => cells.map(cell => cell.replaceAll('`', '')));
	return `${inColumns(rows).join('\n')}\n\nUnder "keys:" in the config, a name gives its action another key: "look: w".`;
};
