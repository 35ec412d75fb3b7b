#!/usr/bin/env bash
# Guess: what @xterm/addon-serialize writes down and another xterm.js reads is the terminal as it was: what it shows, and the
# modes that the program in it has set, since it writes modes.
# What happens: it writes some. That the mouse is reported comes along, and that it is reported in the SGR form doesn't, so that
# a click reaches the program in a form that it never asked for. Origin mode comes along, and the margins that it counts from
# don't. The cursor that was hidden is shown. A background ends with the last row that has text. Links and the kind and colour
# of an underline are gone.
# Who it hurts: anyone who lets people come back to a full-screen program by this (a web console, an editor, a supervisor that
# attaches to an agent): letters appear at a click, a cursor blinks in the picture, and the program draws at other rows.
# What to know: follow these modes by parser.registerCsiHandler, and send them behind what the addon has written.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @xterm/headless@6.0.0 @xterm/addon-serialize@0.14.0
own_home
run_module <<'JS'
import serialize from '@xterm/addon-serialize';
import headless from '@xterm/headless';
import {same} from './acp.mjs';

const write = (terminal, text) => new Promise(resolve => terminal.write(text, resolve));
const newTerminal = () => new headless.Terminal({cols: 20, rows: 6, allowProposedApi: true});
/** What the terminal answers to a question of a program. */
const ask = async (terminal, question) => {
	let answer = '';
	const listener = terminal.onData(data => (answer += data));
	await write(terminal, question);
	listener.dispose();
	return answer.replaceAll('\x1b', '');
};
const mode = number => async terminal =>
	(await ask(terminal, `\x1b[?${number}$p`)).endsWith(';1$y') ? 'on' : 'off';
const cell = read => terminal => read(terminal.buffer.active.getLine(0).getCell(0));

const cases = [
	['bracketed paste', '\x1b[?2004h', mode(2004), 'on', 'on'],
	['the mouse', '\x1b[?1003h', mode(1003), 'on', 'on'],
	['its SGR form', '\x1b[?1003h\x1b[?1006h', mode(1006), 'on', 'off'],
	['origin mode', '\x1b[2;5r\x1b[?6h', mode(6), 'on', 'on'],
	['margins', '\x1b[2;5r\x1b[?6h', terminal => ask(terminal, '\x1bP$qr\x1b\\'), 'P1$r2;5r\\', 'P1$r1;6r\\'],
	['the cursor', '\x1b[?25l', mode(25), 'off', 'on'],
	['line drawing', '\x1b(0', async terminal => {
		await write(terminal, 'q');
		return cell(it => it.getChars())(terminal);
	}, '─', 'q'],
	['background behind text', '\x1b[44m\x1b[2J\x1b[Htext', cell(it => it.getBgColor()), 4, 4],
	['background below it', '\x1b[44m\x1b[2J\x1b[Htext', terminal =>
		terminal.buffer.active.getLine(4).getCell(0).getBgColor(), 4, -1],
	['underline (curly is 3)', '\x1b[4:3mtext', cell(it => it.extended.underlineStyle), 3, 1],
	['link', '\x1b]8;;http://localhost/\x07text\x1b]8;;\x07', cell(it => (it.extended.urlId ? 'there' : 'gone')), 'there', 'gone'],
];
for (const [what, text, look, before, after] of cases) {
	const terminal = newTerminal();
	const addon = new serialize.SerializeAddon();
	terminal.loadAddon(addon);
	await write(terminal, text);
	const copy = newTerminal();
	await write(copy, addon.serialize());
	same(what, `${before}, then ${after}`, `${await look(terminal)}, then ${await look(copy)}`);
}
JS
