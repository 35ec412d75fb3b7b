import {expect, test} from 'vitest';
import {manPage} from '../../scripts/man.ts';
import {wholeProgram} from '../../src/cli/main.ts';

test('the manual page has each command and each of its options, in words that man takes as they are', async () => {
	const program = await wholeProgram();
	const page = manPage(program).replaceAll('\\-', '-');
	for (const command of program.createHelp().visibleCommands(program)) {
		expect(page).toContain(`\n.SS delegate-tui ${command.name()}`);
		for (const {flags} of command.createHelp().visibleOptions(command)) {
			expect(flags === '-h, --help' || page.includes(`\n.B ${flags}\n`)).toBe(true);
		}
	}

	const macros = [...page.matchAll(/^\.(\w*)/gm)].map(([, name]) => name);
	expect(new Set(macros)).toEqual(new Set(['TH', 'SH', 'SS', 'B', 'PP', 'TP']));
	expect(page).not.toMatch(/^'|[^\n -~]/m);
});
