import {type Project, program} from '../helpers/project.ts';
import {openTerminal, type TestTerminal} from '../helpers/terminal.ts';

/** Opens the screen of a project's session in a terminal of its own. */
export const openScreen = (project: Project): TestTerminal =>
	openTerminal({
		program: process.execPath,
		words: [program],
		directory: project.root,
		environment: project.environment,
		columns: 100,
		rows: 30,
	});
