/** Escape sequence for a terminal's notifications. */
export type NotificationWay = 'OSC 9' | 'OSC 777' | 'OSC 99';

type Environment = Readonly<Record<string, string | undefined>>;

/**
Returns the sequence with which a terminal shows notifications, or `undefined` if none is known.

A terminal can't be queried, so this depends on its environment variables; an unknown one might print the sequence. Inside tmux the variables are those of the outer terminal, as far as tmux passes them on.
*/
export const notificationWay = (environment: Environment): NotificationWay | undefined => {
	const {TERM = '', TERM_PROGRAM = '', LC_TERMINAL = ''} = environment;
	const {KITTY_WINDOW_ID, GHOSTTY_RESOURCES_DIR, WEZTERM_PANE} = environment;
	if (KITTY_WINDOW_ID !== undefined || TERM === 'xterm-kitty') {
		return 'OSC 99';
	}

	if (
		/^(foot|rxvt|xterm-ghostty)/.test(TERM) ||
		/^(ghostty|WezTerm)$/i.test(TERM_PROGRAM) ||
		GHOSTTY_RESOURCES_DIR !== undefined ||
		WEZTERM_PANE !== undefined
	) {
		return 'OSC 777';
	}

	return TERM_PROGRAM === 'iTerm.app' ||
		LC_TERMINAL === 'iTerm2' ||
		environment.ConEmuPID !== undefined
		? 'OSC 9'
		: undefined;
};

/** Returns the bytes of a notification; the texts must be sanitized. */
export const notificationBytes = (
	way: NotificationWay,
	{title, text}: {readonly title: string; readonly text: string},
	environment: Environment,
): string => {
	const [oneTitle, oneText] = [title, text].map(part => part.replaceAll(/\s*\n\s*/g, ' · '));
	return throughTmux(sequence(way, oneTitle ?? '', oneText ?? ''), environment);
};

export const bell = '\x07';

/** Saves the terminal's title. */
export const keepTitle = '\x1b[22;2t';

/** Sets the title of the window, or of tmux's pane. */
export const titleBytes = (title: string): string => `\x1b]2;${title}\x1b\\`;

/** Returns the sequence that copies a text into the clipboard of the person's terminal (OSC 52), even on another machine; tmux needs `set-clipboard on`. */
export const clipboardBytes = (text: string): string =>
	`\x1b]52;c;${Buffer.from(text).toString('base64')}\x1b\\`;

/** Restores the saved title; a terminal that can't save titles has none then. */
export const restoreTitle = `${titleBytes('')}\x1b[23;2t`;

/** Returns the sequence of a notification. A `;` separates the fields of `OSC 777`, and `p=` in `OSC 99` selects the part. */
const sequence = (way: NotificationWay, title: string, text: string): string => {
	switch (way) {
		case 'OSC 9':
			return `\x1b]9;${title}: ${text}\x1b\\`;
		case 'OSC 777':
			return `\x1b]777;notify;${title.replaceAll(';', ',')};${text}\x1b\\`;
		case 'OSC 99':
			return `\x1b]99;i=delegate-tui:d=0;${title}\x1b\\\x1b]99;i=delegate-tui:p=body;${text}\x1b\\`;
	}
};

/** Wraps bytes for tmux, which passes them on if `allow-passthrough` is on. */
const throughTmux = (bytes: string, {TMUX}: Environment): string =>
	TMUX === undefined || TMUX === ''
		? bytes
		: `\x1bPtmux;${bytes.replaceAll('\x1b', '\x1b\x1b')}\x1b\\`;
