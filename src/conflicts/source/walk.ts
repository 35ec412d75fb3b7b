import {createHash} from 'node:crypto';
import {defined} from '../../lib/values.ts';
import type {Call, Definition, DefinitionKind, Export, Facts, Import, Parameters} from './facts.ts';
import {childIn, type Syntax} from './syntax.ts';

/** What a language makes of its nodes: a rule for each type that says something about names. */
export type Language = {
	readonly rules: Readonly<Record<string, Rule>>;
	/** Types of nodes that are a use of a name wherever no rule says otherwise. */
	readonly names: readonly string[];
};

/** Tells the walk what a node says; returns what its children stand in, where that is something else. */
// biome-ignore lint/suspicious/noConfusingVoidType: a rule that says nothing of its children has no last line for it.
export type Rule = (node: Syntax, walk: Walk) => Inside | void;

export type Inside =
	| {readonly kind: 'type'; readonly name: string}
	/** Its names may be used without it, and still be others than those of another one. */
	| {readonly kind: 'namespace'; readonly name: string}
	| {readonly kind: 'function'}
	| {readonly kind: 'condition'};

type Surroundings = {
	readonly scope: string;
	readonly namespace: string;
	readonly isLocal: boolean;
	readonly isConditional: boolean;
};

type Making = Partial<Omit<Definition, 'name' | 'line' | 'kind'>> & {
	readonly kind: DefinitionKind;
	/** The whole of it, to take head and body from. */
	readonly node: Syntax;
};

type Bringing = Pick<Import, 'module' | 'name' | 'local'> & {readonly node: Syntax};

/** Reads a syntax tree with a language's rules. */
export const readFacts = (
	language: Language,
	{root, text, isBroken}: {readonly root: Syntax; readonly text: string; isBroken: boolean},
): Facts => {
	const walk = new Walk(language, text);
	walk.visit(root);
	return {...walk.facts(), isBroken};
};

/** What is gathered on the way through a tree. */
export class Walk {
	private readonly definitions: Definition[] = [];
	private readonly imports: Import[] = [];
	private readonly exports: Export[] = [];
	private readonly references: Facts['references'][number][] = [];
	private readonly locals = new Set<string>();
	private readonly skipped = new Set<Syntax>();
	private readonly calls = new Map<Syntax, Call>();
	private readonly decorators = new Map<Syntax, readonly string[]>();
	private readonly lineStarts: readonly number[];
	private around: Surroundings = {
		...{scope: '', namespace: ''},
		...{isLocal: false, isConditional: false},
	};
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

	/** Whether it stands in a function, where nobody else can see it. */
	get isLocal(): boolean {
		return this.around.isLocal;
	}

	get isConditional(): boolean {
		return this.around.isConditional;
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

	/** Does something as if it were said in the type around a method, and not in the method. */
	asMember(tell: () => void): void {
		const before = this.around;
		this.around = {...before, isLocal: false, isConditional: true};
		tell();
		this.around = before;
	}

	/** Remembers what stands before a definition: decorators, attributes, modifiers. */
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

	/** The node is no use of a name, nor is anything in it. */
	skip(...nodes: readonly (Syntax | undefined)[]): void {
		for (const node of nodes) {
			if (node !== undefined) {
				this.skipped.add(node);
			}
		}
	}

	/** A name is made here: for all to see, or, in a function, for the function alone. */
	define(name: Syntax | undefined, making: Making): void {
		this.skip(name);
		if (name === undefined) {
			return;
		}

		if (this.around.isLocal) {
			this.locals.add(this.text(name));
			return;
		}

		const {node, kind, form = '', ...rest} = making;
		const forms = [this.around.namespace, form].filter(one => one !== '').join(' ');
		// A function may be the value of a name, too.
		const body = childIn(node, 'body') ?? childIn(childIn(node, 'value'), 'body');
		this.definitions.push({
			name: this.text(name),
			kind,
			scope: this.around.scope,
			line: this.lineAt(name.start),
			signature: squeezed(this.source.slice(node.start, body?.start ?? node.end)).slice(0, 300),
			hasBody: body !== undefined,
			isRequired: false,
			isAbstract: false,
			isConditional: this.around.isConditional,
			supertypes: [],
			...defined({body: body && this.inShort(body), form: forms || undefined}),
			...rest,
		});
	}

	/** A name is made for a type that is written elsewhere. */
	defineIn(scope: string, name: Syntax | undefined, making: Making): void {
		const before = this.around;
		this.around = inner({...before, scope: ''}, {kind: 'type', name: scope});
		this.define(name, making);
		this.around = before;
	}

	/** Names of parameters or local variables. */
	bind(...names: readonly (Syntax | undefined)[]): void {
		for (const name of names) {
			this.skip(name);
			if (name !== undefined) {
				this.locals.add(this.text(name));
			}
		}
	}

	/** The same of names that are only words of a text. */
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

	handOn(node: Syntax, name: string, module?: string): void {
		const line = this.lineAt(node.start);
		this.exports.push(defined({name, line, module}));
	}

	/** Remembers that a name which comes later in the walk is called. */
	call(name: Syntax | undefined, call: Call): void {
		if (name !== undefined) {
			this.calls.set(name, call);
		}
	}

	/** A name is used, as a member where there is a receiver. */
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

const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

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

/** Returns parameters of a language in which only positions count. */
export const positional = (
	parts: readonly {readonly name: string; readonly isOptional: boolean; readonly isRest: boolean}[],
	types: string,
): Parameters => {
	const plain = parts.filter(({isRest}) => !isRest);
	return {
		min: plain.filter(({isOptional}) => !isOptional).length,
		max: plain.length === parts.length ? plain.length : Number.POSITIVE_INFINITY,
		names: plain.map(({name}) => name),
		takesAnyKeyword: false,
		types: squeezed(types),
	};
};
