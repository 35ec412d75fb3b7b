import {z} from 'zod';
import {readJsonObject} from '../../../lib/text/json-object.ts';
import type {Checker} from './checker.ts';
import {pathIn} from './read-lines.ts';

export const pyright: Checker = {
	name: 'pyright',
	program: 'pyright',
	version: ['--version'],
	serves: path => /\.pyi?$/.test(path),
	runsCode: false,
	args: () => ['--outputjson'],
	environment: {},
	read: ({root, stdout}) => {
		const report = reportSchema.safeParse(readJsonObject(stdout));
		return report.data?.generalDiagnostics
			.filter(({severity}) => severity === 'error')
			.map(({file, message, rule = '', range}) => ({
				path: pathIn(root, file),
				line: range.start.line + 1,
				code: rule,
				text: message,
			}));
	},
};

const reportSchema = z.object({
	generalDiagnostics: z.array(
		z.object({
			file: z.string(),
			severity: z.string(),
			message: z.string(),
			rule: z.string().optional(),
			range: z.object({start: z.object({line: z.number()})}),
		}),
	),
});
