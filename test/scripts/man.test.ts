import {expect, test} from 'vitest';
import {manPage} from '../../scripts/man.ts';
import {wholeProgram} from '../../src/cli/program.ts';
import {topics} from '../../src/cli/topics/topics.ts';

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

test('the manual page names where state lies, also where a person says so', async () => {
	const page = manPage(await wholeProgram());
	expect(page).toContain('\n.B DELEGATE_TUI_STATE\n');
	expect(page).toContain('Library/Application Support/delegate');
});

test('from the source, which has no manual page, it is said what makes one', async () => {
	await expect(topics.find(({name}) => name === 'man')?.text()).rejects.toMatchObject({
		message: 'The manual page is not here: the build makes it.',
		hint: expect.stringContaining('npm run build'),
	});
});
