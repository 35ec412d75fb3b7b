import type {Parameters} from '../facts.ts';
import {calls, define, member, opensCondition, opensFunction, skip} from '../rules.ts';
import {allOf, childIn, childOf, childrenIn, childrenOf, has, type Syntax} from '../syntax.ts';
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

const makeTargets: Rule = (node, walk) => {
	for (const target of targets(childIn(node, 'left', 'name'))) {
		if (target.type === 'identifier') {
			walk.define(target, {
				kind: walk.scope === '' ? 'variable' : 'field',
				node,
				hasBody: true,
			});
		} else if (walk.text(childIn(target, 'object')) === 'self') {
			// An attribute that a method sets is visible everywhere.
			walk.asMember(() => {
				walk.define(childIn(target, 'attribute'), {kind: 'field', node, hasBody: true});
			});
		}
	}
};

const bindTargets: Rule = (node, walk) => {
	const names = targets(childIn(node, 'left', 'name', 'alias'));
	walk.bind(...names.filter(({type}) => type === 'identifier'));
};

const parameterName = (part: Syntax): Syntax | undefined =>
	part.type === 'identifier'
		? part
		: (childIn(part, 'name') ??
			childOf(part, 'identifier') ??
			childOf(childOf(part, 'list_splat_pattern', 'dictionary_splat_pattern'), 'identifier'));

const isSplat = (part: Syntax, type: string): boolean => part.type === type || has(part, type);

const parametersOf = (node: Syntax, walk: Walk, isMethod: boolean): Parameters => {
	const parts = (childIn(node, 'parameters')?.children ?? []).slice(isMethod ? 1 : 0);
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

const bindParameters: Rule = (node, walk) => walk.bind(...node.children.map(parameterName));

const makeFunction = define((node, walk) => {
	const decorators = walk.decoratorsOf(node);
	const isMethod = walk.scope !== '';
	const isStatic = decorators.some(text => /^@staticmethod\b/.test(text));
	const isProperty = decorators.some(text => /property\b|\.setter\b|\.getter\b/.test(text));
	// Any other decorator may change the parameters.
	const isPlain = decorators.every(text =>
		/^@(?:staticmethod|classmethod|(?:abc\.)?abstractmethod|(?:typing\.)?override)\b/.test(text),
	);
	const isConstructor = walk.text(childIn(node, 'name')) === '__init__';
	const kind = isMethod ? (isConstructor ? 'constructor' : 'method') : 'function';
	return {
		kind: isProperty ? 'field' : kind,
		isRequired: decorators.some(text => /\babstract(?:method|property)\b/.test(text)),
		isConditional: decorators.some(text =>
			/overload|\.setter\b|\.getter\b|\.deleter\b|register/.test(text),
		),
		...(isPlain ? {parameters: parametersOf(node, walk, isMethod && !isStatic)} : {}),
	};
}, 'function');

const makeClass = define((node, walk) => {
	const above = childrenOf(childIn(node, 'superclasses'), 'identifier', 'attribute');
	const supertypes = above.map(each => walk.text(each));
	return {
		kind: 'class',
		isAbstract: supertypes.some(each => /\b(?:ABC|Protocol)$/.test(each)),
		supertypes,
	};
}, 'type');

const bringModules: Rule = (node, walk) => {
	for (const part of childrenIn(node, 'name')) {
		const module = walk.text(childIn(part, 'name') ?? part);
		const alias = walk.text(childIn(part, 'alias'));
		walk.bring({node: part, module, name: '', local: alias || (module.split('.')[0] ?? '')});
		walk.skip(part);
	}
};

const bringNames: Rule = (node, walk) => {
	const module = walk.text(childIn(node, 'module_name'));
	for (const part of childrenIn(node, 'name')) {
		const name = walk.text(childIn(part, 'name') ?? part);
		const local = walk.text(childIn(part, 'alias')) || name;
		walk.bring({node: part, module, name, local});
	}

	if (has(node, 'wildcard_import')) {
		walk.bring({node, module, name: '*', local: ''});
	}

	walk.skip(...node.children);
};

const splats = ['list_splat', 'dictionary_splat'];

export const python: Language = {
	names: ['identifier'],
	rules: {
		as_pattern: bindTargets,
		assignment: makeTargets,
		attribute: member(['attribute'], ['object']),
		call: calls(['function'], ['attribute'], {
			lists: ['argument_list'],
			named: 'keyword_argument',
			isSpread: ({type}) => splats.includes(type),
		}),
		class_definition: makeClass,
		decorated_definition: (node, walk) =>
			walk.decorate(childIn(node, 'definition'), childrenOf(node, 'decorator')),
		future_import_statement: skip(),
		for_in_clause: bindTargets,
		for_statement: bindTargets,
		function_definition: makeFunction,
		if_statement: opensCondition,
		import_from_statement: bringNames,
		import_statement: bringModules,
		keyword_argument: skip('name'),
		lambda: opensFunction,
		lambda_parameters: bindParameters,
		named_expression: bindTargets,
		parameters: bindParameters,
		try_statement: opensCondition,
		type_parameter: (node, walk) => walk.bind(...allOf(node, ['identifier'])),
		with_statement: opensCondition,
	},
};
