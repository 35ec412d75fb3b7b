import type {Parameters} from '../facts.ts';
import {bindIn, bindOf, define, member} from '../rules.ts';
import {allOf, childIn, childOf, childrenOf, type Syntax} from '../syntax.ts';
import type {Language, Rule, Walk} from '../walk.ts';

const parametersOf = (list: Syntax | undefined, walk: Walk): Parameters => {
	const parts = list?.children ?? [];
	const nameOf = (part: Syntax) => walk.text(childIn(part, 'name') ?? part);
	const required = childrenOf(list, 'identifier', 'destructured_parameter');
	const optional = childrenOf(list, 'optional_parameter');
	const keywords = childrenOf(list, 'keyword_parameter');
	return {
		min: required.length,
		max: parts.some(({type}) => /splat_parameter|forward/.test(type))
			? Number.POSITIVE_INFINITY
			: required.length + optional.length,
		names: [...required, ...optional].map(nameOf),
		keywords: keywords.map(nameOf),
		requiredKeywords: keywords.filter(each => childIn(each, 'value') === undefined).map(nameOf),
		takesAnyKeyword:
			parts.some(({type}) => /hash_splat|forward/.test(type)) || keywords.length === 0,
		types: walk.text(list),
	};
};

const bindParameters: Rule = (node, walk) =>
	walk.bind(
		...node.children.map(
			part => childIn(part, 'name') ?? (part.type === 'identifier' ? part : undefined),
		),
	);

const makeMethod: Rule = (node, walk) => {
	const name = childIn(node, 'name');
	const isFree = walk.scope === '';
	walk.define(name, {
		kind: walk.text(name) === 'initialize' ? 'constructor' : isFree ? 'function' : 'method',
		node,
		hasBody: true,
		parameters: parametersOf(childIn(node, 'parameters'), walk),
	});
	walk.skip(childIn(node, 'object'));
	return {kind: 'function'};
};

const makeType = define(
	(node, walk) => ({
		kind: node.type === 'module' ? 'module' : 'class',
		// A class may be reopened.
		isConditional: true,
		supertypes: allOf(childIn(node, 'superclass'), ['constant']).map(each => walk.text(each)),
	}),
	'type',
);

const makeAssigned: Rule = (node, walk) => {
	const left = childIn(node, 'left');
	for (const target of left?.type === 'left_assignment_list' ? left.children : [left]) {
		if (target?.type === 'constant') {
			walk.define(target, {kind: 'variable', node, hasBody: true});
		} else if (target?.type === 'identifier') {
			walk.bind(target);
		}
	}
};

const required = /^require(?:_relative)?$/;
const attributes =
	/^attr_(?:accessor|reader|writer)$|^(?:define_method|alias_method|delegate|scope)$/;

const useCalled: Rule = (node, walk) => {
	const name = childIn(node, 'method');
	const given = childIn(node, 'arguments')?.children ?? [];
	const receiver = childIn(node, 'receiver');
	const word = walk.text(name);
	if (receiver === undefined && required.test(word)) {
		const module = walk.text(childOf(given[0], 'string_content'));
		walk.bring({node, module: word === 'require' ? module : `./${module}`, name: '', local: ''});
		walk.skip(...node.children);
		return;
	}

	if (receiver === undefined && attributes.test(word)) {
		walk.bindText(...given.map(each => walk.text(each).replace(/^:/, '')));
	}

	const pairs = given.filter(({type}) => type === 'pair');
	// `Cart.new` calls the constructor of Cart.
	const called = word === 'new' && receiver?.type === 'constant' ? receiver : name;
	walk.call(called, {
		count: given.filter(({type}) => type !== 'pair' && type !== 'block_argument').length,
		keywords: pairs.map(pair => walk.text(childIn(pair, 'key')).replace(/:$/, '')),
		isOpen:
			given.some(({type}) => /splat|forward/.test(type)) ||
			pairs.some(pair => childIn(pair, 'key')?.type !== 'hash_key_symbol'),
	});
	walk.use(name, receiver === undefined ? undefined : walk.text(receiver));
};

export const ruby: Language = {
	names: ['identifier', 'constant'],
	rules: {
		assignment: makeAssigned,
		block_parameters: bindParameters,
		call: useCalled,
		class: makeType,
		exception_variable: bindOf('identifier'),
		for: bindIn('pattern'),
		lambda_parameters: bindParameters,
		method: makeMethod,
		method_parameters: bindParameters,
		module: makeType,
		operator_assignment: makeAssigned,
		scope_resolution: member(['name'], ['scope'], '::'),
		singleton_method: makeMethod,
	},
};
