import {hostname} from 'node:os';
import {pathToFileURL} from 'node:url';
import type {Terminal} from './full-screen.ts';

/**
Returns whether a terminal shows hyperlinks (OSC 8).

None can be asked, so its environment variables tell; some that don't know them print them. tmux passes them on from 3.4 on. `FORCE_HYPERLINK` says it for any other one, or that there are to be none.
*/
export const showsHyperlinks = (environment: Terminal['environment']): boolean => {
	const {FORCE_HYPERLINK, TERM = '', TERM_PROGRAM = '', TERM_PROGRAM_VERSION} = environment;
	if (environment.NO_COLOR || TERM === 'dumb') {
		return false;
	}

	if (FORCE_HYPERLINK !== undefined) {
		return FORCE_HYPERLINK !== '' && FORCE_HYPERLINK !== '0';
	}

	return TERM_PROGRAM === 'tmux' || environment.TMUX
		? TERM_PROGRAM === 'tmux' && Number.parseFloat(TERM_PROGRAM_VERSION ?? '') >= 3.4
		: /^(?:alacritty|foot|xterm-kitty|xterm-ghostty)/.test(TERM) ||
				/^(?:ghostty|iTerm\.app|vscode|WezTerm|zed)$/i.test(TERM_PROGRAM) ||
				Number(environment.VTE_VERSION) >= 5000 ||
				Boolean(
					environment.KITTY_WINDOW_ID ?? environment.WT_SESSION ?? environment.KONSOLE_VERSION,
				);
};

/** Returns the address of a file on this machine, which a terminal on another one does not take for its own. */
export const fileAddress = (path: string): string =>
	`file://${hostname()}${pathToFileURL(path).pathname}`;

/** Returns a text that leads to an address; it takes no column more. */
export const hyperlink = (text: string, address: string): string =>
	`\x1b]8;;${address}\x1b\\${text}\x1b]8;;\x1b\\`;
