/** How a terminal is told to show a notification. */
export type NotificationWay = 'OSC 9' | 'OSC 777' | 'OSC 99';

type Environment = Readonly<Record<string, string | undefined>>;

/**
Returns the sequence that a terminal shows notifications by, or nothing where it is known for none.

A terminal can't be asked, so it goes by the names under which each tells of itself. One that doesn't know a sequence may print it, so none is sent on the off chance. Inside tmux the name is that of the terminal around it, as far as tmux hands it on.
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

/** Returns what is written to a terminal for a notification; all text must be safe for one. */
export const notificationBytes = (
	way: NotificationWay,
	{title, text}: {readonly title: string; readonly text: string},
	environment: Environment,
): string => {
	const [oneTitle, oneText] = [title, text].map(part => part.replaceAll(/\s*\n\s*/g, ' · '));
	return throughTmux(sequence(way, oneTitle ?? '', oneText ?? ''), environment);
};

/** Rings the bell; tmux rings it in turn. */
export const bell = '\x07';

/** Keeps the terminal's title until it is taken back; a terminal that keeps none ignores it. */
export const keepTitle = '\x1b[22;2t';

/** Sets the title of the window, or of tmux's pane. */
export const titleBytes = (title: string): string => `\x1b]2;${title}\x1b\\`;

/** Takes back the title that was kept; one that keeps none is left without. */
export const restoreTitle = `${titleBytes('')}\x1b[23;2t`;

/** A `;` separates the fields of `OSC 777`, and the `p=` of `OSC 99` say which part comes. */
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

/** tmux hands on what is wrapped for it, if its `allow-passthrough` is on, and drops it otherwise. */
const throughTmux = (bytes: string, {TMUX}: Environment): string =>
	TMUX === undefined || TMUX === ''
		? bytes
		: `\x1bPtmux;${bytes.replaceAll('\x1b', '\x1b\x1b')}\x1b\\`;
