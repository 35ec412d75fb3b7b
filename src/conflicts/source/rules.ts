import type {Call, DefinitionKind, Parameters} from './facts.ts';
import {childIn, childrenOf, type Syntax} from './syntax.ts';
import {type Making, type Rule, squeezed, type Walk} from './walk.ts';

/** Hides names below a node from other files. */
export const opensFunction: Rule = () => ({kind: 'function'});

/** Marks definitions below a node as depending on a condition. */
export const opensCondition: Rule = () => ({kind: 'condition'});

export const opensNamespace: Rule = (node, walk) => {
	const name = childIn(node, 'name');
	walk.skip(name);
	return {kind: 'namespace', name: walk.text(name)};
};

/** Skips the child in a field, or all children without one. */
export const skip =
	(field?: string): Rule =>
	(node, walk) =>
		walk.skip(...node.children.filter(child => field === undefined || child.field === field));

/** Binds the child in the first of these fields that has one. */
export const bindIn =
	(...fields: readonly string[]): Rule =>
	(node, walk) =>
		walk.bind(childIn(node, ...fields));

/** Binds the children of these types. */
export const bindOf =
	(...types: readonly string[]): Rule =>
	(node, walk) =>
		walk.bind(...childrenOf(node, ...types));

/** Reports the use of a member with its name and receiver in the first of these fields. */
export const member =
	(names: readonly string[], receivers: readonly string[], link = ''): Rule =>
	(node, walk) =>
		walk.use(childIn(node, ...names), `${walk.text(childIn(node, ...receivers))}${link}`);

type Made = Omit<Making, 'node'>;

/** Defines the child `name`, and opens the type or function if it is one. */
export const define =
	(made: Made | ((node: Syntax, walk: Walk) => Made), opens?: 'type' | 'function'): Rule =>
	(node, walk) => {
		const name = childIn(node, 'name');
		walk.define(name, {node, ...(typeof made === 'function' ? made(node, walk) : made)});
		return opens === 'type' ? {kind: 'type', name: walk.text(name)} : opens && {kind: opens};
	};

/** Defines the names of a declaration as fields, or binds them inside a function. */
export const defineEach =
	(declarators: (node: Syntax) => readonly Syntax[]): Rule =>
	(node, walk) => {
		for (const each of declarators(node)) {
			walk.define(childIn(each, 'name'), {kind: 'field', node, hasBody: true});
		}
	};

/** Returns the kind of a type by the usual names of its declaration in grammars. */
export const typeKind = ({type}: Syntax): DefinitionKind =>
	type === 'enum_declaration' ? 'enum' : type === 'interface_declaration' ? 'interface' : 'class';

type Part = {readonly name: string; readonly isOptional?: boolean; readonly isRest?: boolean};

/** Returns parameters of a language that passes arguments by position. */
export const positional = (parts: readonly Part[], types: string): Parameters => {
	const plain = parts.filter(({isRest = false}) => !isRest);
	return {
		min: plain.filter(({isOptional = false}) => !isOptional).length,
		max: plain.length === parts.length ? plain.length : Number.POSITIVE_INFINITY,
		names: plain.map(({name}) => name),
		takesAnyKeyword: false,
		types: squeezed(types),
	};
};

type ArgumentForms = {
	/** Type of the arguments among other children of the list. */
	readonly only?: string;
	/** Type of the arguments that may have a name, in the field `name`. */
	readonly named?: string;
	readonly isSpread?: (argument: Syntax) => boolean;
};

/** Returns the arguments of a call. */
export const argumentsIn = (
	list: Syntax | undefined,
	walk: Walk,
	{only, named = only, isSpread = () => false}: ArgumentForms = {},
): Call => {
	const parts = list?.children.filter(({type}) => only === undefined || type === only) ?? [];
	const names = parts.flatMap(part => (part.type === named ? (childIn(part, 'name') ?? []) : []));
	walk.skip(...names);
	return {
		count: parts.length - names.length,
		keywords: names.map(name => walk.text(name)),
		isOpen: parts.some(isSpread),
	};
};

/**
Reports a call of the child in one of the fields `called`, or of that child's own in one of the fields `member`.

@param lists Types of the argument list; another node in its place has no countable arguments.
*/
export const calls =
	(
		called: readonly string[],
		member: readonly string[],
		{lists, ...forms}: ArgumentForms & {readonly lists?: readonly string[]} = {},
	): Rule =>
	(node, walk) => {
		const list = childIn(node, 'arguments');
		const whole = childIn(node, ...called);
		if (lists === undefined || lists.includes(list?.type ?? '')) {
			walk.call(childIn(whole, ...member) ?? whole, argumentsIn(list, walk, forms));
		}
	};
