import type {Parameters} from '../facts.ts';
import {allOf, childIn, childOf, childrenOf, has, type Syntax} from '../syntax.ts';
import type {Language, Rule, Walk} from '../walk.ts';

const targets = (node: Syntax | undefined): readonly Syntax[] => {
	switch (node?.type) {
		case undefined:
			return [];
		case 'identifier':
		case 'attribute':
			return [node];
		case 'pattern_list':
		case 'tuple_pattern':
		case 'list_pattern':
		case 'list_splat_pattern':
		case 'as_pattern_target':
		case 'parenthesized_expression':
			return node.children.flatMap(targets);
		default:
			return [];
	}
};

const makeTargets = (node: Syntax, walk: Walk): void => {
	for (const target of targets(childIn(node, 'left') ?? childIn(node, 'name'))) {
		if (target.type === 'identifier') {
			walk.define(target, {
				kind: walk.scope === '' ? 'variable' : 'field',
				node,
				hasBody: true,
			});
		} else if (walk.text(childIn(target, 'object')) === 'self') {
			makeOwnField(target, node, walk);
		}
	}
};

/** What a method gives its object is seen by all, though it is said within a function. */
const makeOwnField = (target: Syntax, node: Syntax, walk: Walk): void =>
	walk.asMember(() => {
		walk.define(childIn(target, 'attribute'), {kind: 'field', node, hasBody: true});
	});

const makeVariable: Rule = (node, walk) => {
	makeTargets(node, walk);
};

const bindTargets: Rule = (node, walk) => {
	const names = targets(childIn(node, 'left') ?? childIn(node, 'name') ?? childIn(node, 'alias'));
	walk.bind(...names.filter(({type}) => type === 'identifier'));
};

const parameterParts = (node: Syntax): readonly Syntax[] =>
	childIn(node, 'parameters')?.children ?? [];

const parameterName = (part: Syntax): Syntax | undefined =>
	part.type === 'identifier'
		? part
		: (childIn(part, 'name') ??
			childOf(part, 'identifier') ??
			childOf(childOf(part, 'list_splat_pattern', 'dictionary_splat_pattern'), 'identifier'));

const isSplat = (part: Syntax, type: string): boolean => part.type === type || has(part, type);

const parametersOf = (node: Syntax, walk: Walk, isMethod: boolean): Parameters => {
	const parts = parameterParts(node).slice(isMethod ? 1 : 0);
	const star = parts.findIndex(
		part => part.type === 'keyword_separator' || isSplat(part, 'list_splat_pattern'),
	);
	const named = (some: readonly Syntax[]) =>
		some.filter(part => /identifier|^typed_|^default_/.test(part.type) && !isSplatPart(part));
	const byPosition = named(star === -1 ? parts : parts.slice(0, star));
	const byKeyword = named(star === -1 ? [] : parts.slice(star + 1));
	const isRequired = (part: Syntax) => childIn(part, 'value') === undefined;
	const nameOf = (part: Syntax) => walk.text(parameterName(part));
	return {
		min: byPosition.filter(isRequired).length,
		max: parts.some(part => isSplat(part, 'list_splat_pattern'))
			? Number.POSITIVE_INFINITY
			: byPosition.length,
		names: byPosition.map(nameOf),
		keywords: byKeyword.map(nameOf),
		requiredKeywords: byKeyword.filter(isRequired).map(nameOf),
		takesAnyKeyword: parts.some(part => isSplat(part, 'dictionary_splat_pattern')),
		types: walk.text(childIn(node, 'parameters')),
	};
};

const isSplatPart = (part: Syntax): boolean =>
	isSplat(part, 'list_splat_pattern') || isSplat(part, 'dictionary_splat_pattern');

const insideFunction: Rule = (node, walk) => {
	for (const part of parameterParts(node)) {
		walk.bind(parameterName(part));
	}

	return {kind: 'function'};
};

const makeFunction: Rule = (node, walk) => {
	const decorators = walk.decoratorsOf(node);
	const isMethod = walk.scope !== '';
	const isStatic = decorators.some(text => /^@staticmethod\b/.test(text));
	const isProperty = decorators.some(text => /property\b|\.setter\b|\.getter\b/.test(text));
	// Any other decorator may make of it whatever it likes.
	const isPlain = decorators.every(text =>
		/^@(?:staticmethod|classmethod|(?:abc\.)?abstractmethod|(?:typing\.)?override)\b/.test(text),
	);
	const name = walk.text(childIn(node, 'name'));
	walk.define(childIn(node, 'name'), {
		kind: isProperty
			? 'field'
			: isMethod
				? name === '__init__'
					? 'constructor'
					: 'method'
				: 'function',
		node,
		isRequired: decorators.some(text => /\babstract(?:method|property)\b/.test(text)),
		isConditional:
			walk.isConditional ||
			decorators.some(text => /overload|\.setter\b|\.getter\b|\.deleter\b|register/.test(text)),
		...(isPlain ? {parameters: parametersOf(node, walk, isMethod && !isStatic)} : {}),
	});
	return insideFunction(node, walk);
};

const makeClass: Rule = (node, walk) => {
	const supertypes = childrenOf(childIn(node, 'superclasses'), 'identifier', 'attribute');
	walk.define(childIn(node, 'name'), {
		kind: 'class',
		node,
		isAbstract: supertypes.some(each => /\b(?:ABC|Protocol)$/.test(walk.text(each))),
		supertypes: supertypes.map(each => walk.text(each)),
	});
	return {kind: 'type', name: walk.text(childIn(node, 'name'))};
};

const bringModules: Rule = (node, walk) => {
	for (const part of node.children.filter(({field}) => field === 'name')) {
		const module = walk.text(childIn(part, 'name') ?? part);
		const alias = walk.text(childIn(part, 'alias'));
		walk.bring({node: part, module, name: '', local: alias || (module.split('.')[0] ?? '')});
		walk.skip(part);
	}
};

const bringNames: Rule = (node, walk) => {
	const module = walk.text(childIn(node, 'module_name'));
	for (const part of node.children.filter(({field}) => field === 'name')) {
		const name = walk.text(childIn(part, 'name') ?? part);
		const local = walk.text(childIn(part, 'alias')) || name;
		walk.bring({node: part, module, name, local});
	}

	if (has(node, 'wildcard_import')) {
		walk.bring({node, module, name: '*', local: ''});
	}

	walk.skip(...node.children);
};

const useMember: Rule = (node, walk) =>
	walk.use(childIn(node, 'attribute'), walk.text(childIn(node, 'object')));

const useCalled: Rule = (node, walk) => {
	const called = childIn(node, 'function');
	const given = childIn(node, 'arguments');
	if (given?.type === 'argument_list' && called !== undefined) {
		const keywords = childrenOf(given, 'keyword_argument');
		walk.call(childIn(called, 'attribute') ?? called, {
			count: given.children.length - keywords.length,
			keywords: keywords.map(each => walk.text(childIn(each, 'name'))),
			isOpen: has(given, 'list_splat', 'dictionary_splat'),
		});
	}
};

const condition: Rule = () => ({kind: 'condition'});

export const python: Language = {
	names: ['identifier'],
	rules: {
		as_pattern: bindTargets,
		assignment: makeVariable,
		attribute: useMember,
		call: useCalled,
		class_definition: makeClass,
		decorated_definition: (node, walk) =>
			walk.decorate(childIn(node, 'definition'), childrenOf(node, 'decorator')),
		future_import_statement: (node, walk) => walk.skip(...node.children),
		for_in_clause: bindTargets,
		for_statement: bindTargets,
		function_definition: makeFunction,
		if_statement: condition,
		import_from_statement: bringNames,
		import_statement: bringModules,
		keyword_argument: (node, walk) => walk.skip(childIn(node, 'name')),
		lambda: insideFunction,
		named_expression: bindTargets,
		try_statement: condition,
		type_parameter: (node, walk) => walk.bind(...allOf(node, ['identifier'])),
		with_statement: condition,
	},
};
