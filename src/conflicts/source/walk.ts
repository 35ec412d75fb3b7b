import {createHash} from 'node:crypto';
import {defined} from '../../lib/values.ts';
import type {Call, DefinitionKind, Export, Facts, Import, SymbolDefinition} from './facts.ts';
import {childIn, type Syntax} from './syntax.ts';

/** Rules for reading facts from one grammar's trees. */
export type Language = {
	/** Rules by node type. */
	readonly rules: Readonly<Record<string, Rule>>;
	/** Node types that count as a reference unless a rule says otherwise. */
	readonly names: readonly string[];
};

/** Reports the facts of a node to the walk; returns the scope of its children if it opens one. */
// biome-ignore lint/suspicious/noConfusingVoidType: a rule that opens no scope has no last line for it.
export type Rule = (node: Syntax, walk: Walk) => Inside | void;

export type Inside =
	| {readonly kind: 'type'; readonly name: string}
	/** Scope whose names can be used unqualified, but differ from equal names of another namespace. */
	| {readonly kind: 'namespace'; readonly name: string}
	| {readonly kind: 'function'}
	| {readonly kind: 'condition'};

type Surroundings = {
	readonly scope: string;
	readonly namespace: string;
	readonly isLocal: boolean;
	readonly isConditional: boolean;
};

/** A definition reported by a rule; `isConditional` is or-ed with that of the surroundings. */
export type Making = Partial<Omit<SymbolDefinition, 'name' | 'line' | 'kind'>> & {
	readonly kind: DefinitionKind;
	/** Node of the whole definition, from which signature and body are taken. */
	readonly node: Syntax;
};

type Bringing = Pick<Import, 'module' | 'name' | 'local'> & {readonly node: Syntax};

/** Reads the facts of a syntax tree by a language's rules. */
export const readFacts = (
	language: Language,
	{root, text, isBroken}: {readonly root: Syntax; readonly text: string; isBroken: boolean},
): Facts => {
	const walk = new Walk(language, text);
	walk.visit(root);
	return {...walk.facts(), isBroken};
};

/** Visits a tree from its root and collects the facts that rules report. */
export class Walk {
	private readonly definitions: SymbolDefinition[] = [];
	private readonly imports: Import[] = [];
	private readonly exports: Export[] = [];
	private readonly references: Facts['references'][number][] = [];
	private readonly locals = new Set<string>();
	private readonly skipped = new Set<Syntax>();
	private readonly calls = new Map<Syntax, Call>();
	private readonly decorators = new Map<Syntax, readonly string[]>();
	private readonly lineStarts: readonly number[];
	private around: Surroundings = {scope: '', namespace: '', isLocal: false, isConditional: false};
	private readonly language: Language;
	private readonly source: string;

	constructor(language: Language, source: string) {
		this.language = language;
		this.source = source;
		this.lineStarts = [0, ...[...source.matchAll(/\n/g)].map(({index}) => index + 1)];
	}

	facts(): Omit<Facts, 'isBroken'> {
		const {definitions, imports, exports, references} = this;
		return {definitions, imports, exports, references, locals: [...this.locals]};
	}

	get scope(): string {
		return this.around.scope;
	}

	/** True if the node is in a function, invisible to other files. */
	get isLocal(): boolean {
		return this.around.isLocal;
	}

	text(node: Syntax | undefined): string {
		return node === undefined ? '' : this.source.slice(node.start, node.end);
	}

	visit(node: Syntax): void {
		if (this.skipped.has(node)) {
			return;
		}

		const rule = this.language.rules[node.type];
		const inside = rule?.(node, this);
		if (rule === undefined && this.language.names.includes(node.type)) {
			this.use(node);
		}

		const before = this.around;
		this.around = inside ? inner(before, inside) : before;
		for (const child of node.children) {
			this.visit(child);
		}

		this.around = before;
	}

	/** Reports facts as members of the type around the current method. */
	asMember(tell: () => void): void {
		const before = this.around;
		this.around = {...before, isLocal: false, isConditional: true};
		tell();
		this.around = before;
	}

	/** Remembers the decorators or attributes of a definition. */
	decorate(definition: Syntax | undefined, decorators: readonly Syntax[]): void {
		if (definition !== undefined) {
			this.decorators.set(
				definition,
				decorators.map(each => this.text(each)),
			);
		}
	}

	decoratorsOf(definition: Syntax): readonly string[] {
		return this.decorators.get(definition) ?? [];
	}

	/** Excludes nodes, with their children, from the walk. */
	skip(...nodes: readonly (Syntax | undefined)[]): void {
		for (const node of nodes) {
			if (node !== undefined) {
				this.skipped.add(node);
			}
		}
	}

	/** Reports a definition; inside a function it is only a local name. */
	define(name: Syntax | undefined, making: Making): void {
		this.skip(name);
		if (name === undefined) {
			return;
		}

		if (this.around.isLocal) {
			this.locals.add(this.text(name));
			return;
		}

		const {node, kind, form = '', isConditional = false, ...rest} = making;
		const forms = [this.around.namespace, form].filter(one => one !== '').join(' ');
		// The value of a variable may be a function.
		const body = childIn(node, 'body') ?? childIn(childIn(node, 'value', 'right'), 'body');
		this.definitions.push({
			name: this.text(name),
			kind,
			scope: this.around.scope,
			line: this.lineAt(name.start),
			signature: squeezed(this.source.slice(node.start, body?.start ?? node.end)).slice(0, 300),
			hasBody: body !== undefined,
			isRequired: false,
			isAbstract: false,
			isConditional: isConditional || this.around.isConditional,
			supertypes: [],
			...defined({body: body && this.inShort(body), form: forms || undefined}),
			...rest,
		});
	}

	/** Reports a member of a type that is declared elsewhere. */
	defineIn(scope: string, name: Syntax | undefined, making: Making): void {
		const before = this.around;
		this.around = inner({...before, scope: ''}, {kind: 'type', name: scope});
		this.define(name, making);
		this.around = before;
	}

	/** Reports names of parameters or local variables. */
	bind(...names: readonly (Syntax | undefined)[]): void {
		for (const name of names) {
			this.skip(name);
			if (name !== undefined) {
				this.locals.add(this.text(name));
			}
		}
	}

	/** Reports local names that have no node of their own. */
	bindText(...names: readonly string[]): void {
		for (const name of names) {
			this.locals.add(name);
		}
	}

	bring({node, ...parts}: Bringing): void {
		const {scope, isLocal, isConditional} = this.around;
		const line = this.lineAt(node.start);
		this.imports.push({line, ...parts, scope, isConditional: isLocal || isConditional});
	}

	handOn(node: Syntax, name: string): void {
		this.exports.push({name, line: this.lineAt(node.start)});
	}

	/** Marks a name further down the tree as the callee of a call. */
	call(name: Syntax | undefined, call: Call): void {
		if (name !== undefined) {
			this.calls.set(name, call);
		}
	}

	/** Reports a reference; with a receiver, to a member. */
	use(name: Syntax | undefined, receiver?: string): void {
		if (name === undefined || this.skipped.has(name)) {
			return;
		}

		this.skip(name);
		const call = this.calls.get(name);
		this.references.push({
			name: this.text(name),
			line: this.lineAt(name.start),
			scope: this.around.scope,
			...defined({receiver: receiver && squeezed(receiver).slice(-80), call}),
		});
	}

	private lineAt(position: number): number {
		let [low, high] = [0, this.lineStarts.length];
		while (high - low > 1) {
			const middle = (low + high) >> 1;
			[low, high] = (this.lineStarts[middle] ?? 0) <= position ? [middle, high] : [low, middle];
		}

		return low + 1;
	}

	private inShort(body: Syntax): {digest: string; words: number} {
		const text = squeezed(this.text(body));
		const digest = createHash('sha1').update(text).digest('base64');
		return {digest, words: text.match(/\w+/g)?.length ?? 0};
	}
}

/** Collapses each run of spaces into one. */
export const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const inner = (around: Surroundings, inside: Inside): Surroundings => {
	switch (inside.kind) {
		case 'type':
			return {
				...around,
				scope: around.scope === '' ? inside.name : `${around.scope}.${inside.name}`,
			};
		case 'namespace':
			return {...around, namespace: `${around.namespace}::${inside.name}`};
		case 'function':
			return {...around, isLocal: true};
		case 'condition':
			return {...around, isConditional: true};
	}
};
