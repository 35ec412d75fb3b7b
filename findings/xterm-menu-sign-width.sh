#!/usr/bin/env bash
# Guess: string-width (which Ink and many others lay out with) and xterm.js (the terminal of VS Code and of many web
# consoles) count the same columns for text without emoji. Where they differ, it is about emoji.
# What happens: string-width 9 counts 2 columns for ☰, the usual sign for a menu, and for the signs around it, as Unicode
# does since version 16; xterm.js draws 1. They also differ on a soft hyphen (0 and 1), on the Hangul filler (0 and 2)
# and on common Burmese words.
# Who it hurts: people who see the right edge of a box out of line, or the rest of a line cut off one column early.
# What to know: signs of U+2630–2637 and U+268A–268F don't belong into a terminal program; and no width that a program
# computes is what every terminal draws.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @xterm/headless@6.0.0 string-width@9.0.0
own_home
run_module <<'JS'
import xterm from '@xterm/headless';
import stringWidth from 'string-width';
import {same} from './acp.mjs';

/** How far the cursor of a terminal moves. */
const drawn = async text => {
	const terminal = new xterm.Terminal({cols: 80, rows: 2, allowProposedApi: true});
	await new Promise(resolve => terminal.write(text, resolve));
	return terminal.buffer.active.cursorX;
};

const widths = async text => ({counted: stringWidth(text), drawn: await drawn(text)});
same('ordinary text "résumé 漢字"', {counted: 11, drawn: 11}, await widths('résumé 漢字'));
same('the menu sign ☰ (U+2630)', {counted: 2, drawn: 1}, await widths('☰'));
same('⚊ (U+268A)', {counted: 2, drawn: 1}, await widths('⚊'));
same('a soft hyphen in "co\\u00adop"', {counted: 4, drawn: 5}, await widths('co\u00adop'));
same('the Hangul filler (U+3164)', {counted: 0, drawn: 2}, await widths('\u3164'));
same('the Burmese word "မြန်မာ"', {counted: 5, drawn: 6}, await widths('မြန်မာ'));
JS
