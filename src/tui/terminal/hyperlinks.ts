import {hostname} from 'node:os';
import {pathToFileURL} from 'node:url';
import type {Terminal} from './full-screen.ts';

/**
Returns whether a terminal supports hyperlinks (OSC 8).

Terminals can't be queried, so environment variables decide; some that don't support them print them. tmux passes them on since 3.4. `FORCE_HYPERLINK` turns them on or off for any terminal.
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

/** Returns the URL of a file on this machine, with the host name, so that a terminal on another machine does not open its own file. */
export const fileAddress = (path: string): string =>
	`file://${hostname()}${pathToFileURL(path).pathname}`;

/** Returns a text as a link, without extra columns. */
export const hyperlink = (text: string, address: string): string =>
	`\x1b]8;;${address}\x1b\\${text}\x1b]8;;\x1b\\`;
