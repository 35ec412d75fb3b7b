import {existsSync, globSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parts, withPartOfToday} from '../scripts/docs.ts';
import {wholeProgram} from '../src/cli/program.ts';
import {withKeys} from '../src/tui/keys.ts';
import {keySign} from '../src/tui/terminal/key-name.ts';

const textOf = (path: string): string => readFileSync(path, 'utf8');
const documents = ['README.md', 'CONTRIBUTING.md', 'src/README.md', ...globSync('docs/*.md')];

test('no document holds the marks of a conflict', () => {
	const marks = /^(?:<{7} |={7}$|>{7} )/m;
	const read = [...documents, 'CHANGELOG.md', 'SECURITY.md'];
	expect(read.filter(path => marks.test(readFileSync(path, 'utf8')))).toEqual([]);
});

test('no picture shows a path of the machine that made it', () => {
	const path = />\/[^<>/]+\/[^<>]+</;
	const pictures = globSync('docs/**/*.svg');
	expect(pictures.length).toBeGreaterThan(5);
	expect(pictures.filter(picture => path.test(textOf(picture)))).toEqual([]);
});

describe('the documents', () => {
	test.each(parts)('$file has the $name of today; npm run docs writes them', part => {
		const text = textOf(part.file);
		expect(text).toBe(withPartOfToday(text, part));
		expect(() => withPartOfToday('', part)).toThrow(part.file);
	});

	test.each(documents)('%s shows and names only files that there are', document => {
		const targets = [...textOf(document).matchAll(/\]\(([^):#]+)(?:#[^)]*)?\)/g)].map(
			([, target = '']) => join(dirname(document), target),
		);
		expect(targets.filter(target => !existsSync(target))).toEqual([]);
	});

	test.each(['CONTRIBUTING.md', 'src/README.md', 'docs/decisions.md'])(
		'%s names only code that there is',
		document => {
			const named = [...textOf(document).matchAll(/`([\w./-]+\.tsx?)`/g)].map(
				([, path = '']) => path,
			);
			const files = globSync('{src,scripts,test,fixtures}/**/*.{ts,tsx}').map(path => `/${path}`);
			expect(named.filter(path => !files.some(file => file.endsWith(`/${path}`)))).toEqual([]);
		},
	);

	test.each(['README.md', 'docs/how-do-i.md', 'docs/commands.md'])(
		'%s names only commands, options and keys that there are',
		async document => {
			const text = textOf(document);
			const {commands, options} = await wholeProgram();
			const all = commands.flatMap(({options}) => options).concat(options);
			const known = new Map(
				commands.flatMap(command =>
					[command.name(), ...command.aliases()].map(name => [name, command.options] as const),
				),
			);
			const named = [...text.matchAll(/`delegate-tui ([a-z-]+)[^`]*`/g)]
				// Any other words are a task.
				.filter(([code]) => !code.includes('fix the rounding bug'));
			expect(named.length).toBeGreaterThan(0);
			expect(named.filter(([, word = '']) => !known.has(word)).map(([code]) => code)).toEqual([]);
			const unknown = [...text.matchAll(/`[^`]*`/g)]
				.filter(([code]) => !/npm|apt|git /.test(code))
				.flatMap(([code]) => {
					const own = known.get(/^`delegate-tui ([a-z-]+)/.exec(code)?.[1] ?? '') ?? all;
					const given = code.match(/(?<=[ `])--[a-z-]+/g) ?? [];
					return given.filter(flag => !own.some(({long}) => long === flag));
				});
			expect(unknown).toEqual([]);
			const signs = new Set(withKeys({}).flatMap(({keys}) => keys.map(keySign)));
			const pressed = [...text.matchAll(/\*\*(\S|\^.)\*\*/g)].map(([, sign = '']) => sign);
			expect(pressed.filter(sign => !signs.has(sign))).toEqual([]);
		},
	);

	test('each decision says what it costs', () => {
		const decisions = textOf('docs/decisions.md')
			.split(/\n(?=\*\*)/)
			.slice(1);
		expect(decisions.filter(decision => !decision.includes('\n*It costs* '))).toEqual([]);
	});

	test('the README names each of them, and is short enough to be read', () => {
		const readme = textOf('README.md');
		const others = documents.filter(document => document !== 'README.md');
		expect(others.filter(document => !readme.includes(`](${document})`))).toEqual([]);
		expect(readme.split('\n').length).toBeLessThanOrEqual(150);
		expect(textOf('src/README.md').split('\n').length).toBeLessThanOrEqual(150);
	});

	test('the README says the same of a picture as the picture says of itself', () => {
		const pictures = [...textOf('README.md').matchAll(/!\[([^\]]+)\]\((\S+)\)/g)];
		expect(pictures.length).toBeGreaterThan(0);
		const others = pictures.filter(
			([, title = '', path = '']) => !textOf(path).includes(`<title>${title}</title>`),
		);
		expect(others.map(([, , path]) => path)).toEqual([]);
	});
});
