import {describe, expect, it} from 'vitest';
import {notificationBytes, notificationWay} from '../../../src/lib/notification-bytes.ts';

describe('a terminal shows notifications by the sequence that it knows', () => {
	it.each([
		[{TERM: 'xterm-kitty'}, 'OSC 99'],
		[{KITTY_WINDOW_ID: '1', TERM: 'tmux-256color', TMUX: '/tmp/t,1,0'}, 'OSC 99'],
		[{TERM: 'foot'}, 'OSC 777'],
		[{TERM_PROGRAM: 'WezTerm'}, 'OSC 777'],
		[{TERM_PROGRAM: 'ghostty'}, 'OSC 777'],
		[{TERM: 'xterm-ghostty'}, 'OSC 777'],
		[{GHOSTTY_RESOURCES_DIR: '/usr/share/ghostty', TERM_PROGRAM: 'tmux'}, 'OSC 777'],
		[{WEZTERM_PANE: '0', TERM_PROGRAM: 'tmux'}, 'OSC 777'],
		[{TERM_PROGRAM: 'iTerm.app'}, 'OSC 9'],
		[{LC_TERMINAL: 'iTerm2', TERM: 'screen'}, 'OSC 9'],
		[{TERM: 'xterm-256color'}, undefined],
		[{}, undefined],
	])('%j: %s', (environment, way) => {
		expect(notificationWay(environment)).toBe(way);
	});

	const notification = {title: 'a; b', text: 'one\ntwo'};

	it.each([
		['OSC 9', '\x1b]9;a; b: one · two\x1b\\'],
		['OSC 777', '\x1b]777;notify;a, b;one · two\x1b\\'],
		[
			'OSC 99',
			'\x1b]99;i=delegate-tui:d=0;a; b\x1b\\\x1b]99;i=delegate-tui:p=body;one · two\x1b\\',
		],
	] as const)('%s', (way, bytes) => {
		expect(notificationBytes(way, notification, {})).toBe(bytes);
	});

	it('and is given it through tmux in the wrapping that tmux takes off', () => {
		expect(notificationBytes('OSC 9', notification, {TMUX: '/tmp/t,1,0'})).toBe(
			'\x1bPtmux;\x1b\x1b]9;a; b: one · two\x1b\x1b\\\x1b\\',
		);
	});
});
