import type {Plugin} from 'rolldown';
import {parseAst} from 'rolldown/parseAst';

/** Source of a function that returns a stand-in for what is made with the first use of it: like an object, or like a function or class. */
export const lazily = `function lazily(make, likeness = {}) {
	let made;
	const get = () => (made ??= make());
	return new Proxy(likeness, {
		apply: (_, self, words) => Reflect.apply(get(), self, words),
		construct: (_, words) => Reflect.construct(get(), words),
		get: (_, key) => Reflect.get(get(), key),
		has: (_, key) => Reflect.has(get(), key),
		ownKeys: () => Reflect.ownKeys(get()),
		getPrototypeOf: () => Reflect.getPrototypeOf(get()),
		getOwnPropertyDescriptor: (_, key) => {
			const found = Reflect.getOwnPropertyDescriptor(get(), key);
			return found && {...found, configurable: true};
		},
	});
}
`;

/** Writes what takes a name from what `load` returns, with the first use of it. */
export const lazyName = (local: string, load: string, name: string): string =>
	`${local} = /* @__PURE__ */ lazily(() => ${load}.${name}, function () {})`;

/** Libraries that nearly every start imports and hardly any calls; each is CommonJS, so it can be evaluated where it is needed. */
const libraries: readonly string[] = ['yaml', 'picomatch/posix.js'];

const prefix = '\0lazy:';

/** Evaluates these libraries with their first use. */
export const withLazyLibraries: Plugin = {
	name: 'with-lazy-libraries',
	resolveId: (id, importer) =>
		libraries.includes(id) && !importer?.startsWith(prefix) ? `${prefix}${id}` : undefined,
	load: async id => {
		if (!id.startsWith(prefix)) {
			return undefined;
		}

		const library = id.slice(prefix.length);
		const load = `require('${library}')`;
		const {default: whole, ...members} = await import(library);
		const names = Object.keys(members).filter(
			name => typeof members[name] === 'function' && name !== 'module.exports',
		);
		return typeof whole === 'function'
			? `export default /* @__PURE__ */ lazily(() => ${load}, function () {});\n${lazily}`
			: `export const ${names.map(name => lazyName(name, load, name)).join()};\n${lazily}`;
	},
};

const usesSchemas = /^import (?:\{z\}|\* as z) from 'zod/m;

/**
Builds schemas with their first use: hundreds are made while modules are evaluated, and a start of the program uses a handful.

A constant at the top of a module that is made with the library, or with what is made so, becomes a stand-in. Functions are left as they are.
*/
export const withLazySchemas: Plugin = {
	name: 'with-lazy-schemas',
	transform: {
		order: 'pre',
		handler: (code, id) => {
			if (id.includes('node_modules') || !usesSchemas.test(code)) {
				return undefined;
			}

			const made = new Set(['z']);
			let edited = '';
			let from = 0;
			for (const {name, start, end, kind} of constantsIn(code)) {
				const value = code.slice(start, end);
				if (kind !== undefined && uses(value, made)) {
					made.add(name);
					edited += `${code.slice(from, start)}${kind === 'function' ? value : `lazily(() => (${value}))`}`;
					from = end;
				}
			}

			return `${edited}${code.slice(from)}\n${lazily}`;
		},
	},
};

type Constant = {
	readonly name: string;
	/** Where its value is in the text. */
	readonly start: number;
	readonly end: number;
	/** Nothing for what a stand-in can't be like, such as a regular expression. */
	readonly kind: 'function' | 'object' | undefined;
};

const kinds: Readonly<Record<string, Constant['kind']>> = {
	ArrowFunctionExpression: 'function',
	CallExpression: 'object',
	ObjectExpression: 'object',
};

const constantsIn = (code: string): readonly Constant[] =>
	parseAst(code, {lang: 'ts'}).body.flatMap(statement => {
		const declared =
			statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
		const list = declared?.type === 'VariableDeclaration' ? declared.declarations : [];
		return list.flatMap(({id, init}) =>
			id.type === 'Identifier' && init
				? [{name: id.name, start: init.start, end: init.end, kind: kinds[init.type]}]
				: [],
		);
	});

/** Whether a text calls or spreads something of these names, or takes a member of it. */
const uses = (text: string, names: ReadonlySet<string>): boolean =>
	[...text.matchAll(/(?<![\w$]|[^.]\.)[A-Za-z_$][\w$]*(?=\s*[.(,}\])])/g)].some(([name]) =>
		names.has(name),
	);
