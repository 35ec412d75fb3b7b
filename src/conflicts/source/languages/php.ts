import {insideNamespace, typeKind} from '../common-rules.ts';
import type {Parameters} from '../facts.ts';
import {allOf, childIn, childOf, childrenOf, has, type Syntax} from '../syntax.ts';
import {type Language, positional, type Rule, type Walk} from '../walk.ts';

const parameterTypes = ['simple_parameter', 'property_promotion_parameter', 'variadic_parameter'];

const parametersOf = (node: Syntax, walk: Walk): Parameters => {
	const list = childIn(node, 'parameters');
	const read = childrenOf(list, ...parameterTypes).map(part => ({
		name: walk.text(childIn(part, 'name')).replace(/^\$/, ''),
		isOptional: childIn(part, 'default_value') !== undefined,
		isRest: part.type === 'variadic_parameter',
	}));
	// What is too much is passed over.
	return {...positional(read, walk.text(list)), max: Number.POSITIVE_INFINITY};
};

const insideFunction: Rule = () => ({kind: 'function'});

const makeFunction: Rule = (node, walk) => {
	walk.define(childIn(node, 'name'), {
		kind: 'function',
		node,
		parameters: parametersOf(node, walk),
	});
	return {kind: 'function'};
};

const makeMethod: Rule = (node, walk) => {
	const name = childIn(node, 'name');
	walk.define(name, {
		kind: walk.text(name) === '__construct' ? 'constructor' : 'method',
		node,
		parameters: parametersOf(node, walk),
		isRequired: childIn(node, 'body') === undefined,
	});
	for (const part of allOf(childIn(node, 'parameters'), ['property_promotion_parameter'])) {
		walk.define(childOf(childIn(part, 'name'), 'name'), {kind: 'field', node: part});
	}

	return {kind: 'function'};
};

const makeType: Rule = (node, walk) => {
	const name = childIn(node, 'name');
	const above = [childOf(node, 'base_clause'), childOf(node, 'class_interface_clause')];
	const supertypes = above
		.flatMap(clause => childrenOf(clause, 'name', 'qualified_name'))
		.map(each => walk.text(each));
	// A trait may bring along what an interface asks for.
	const traits = allOf(childIn(node, 'body'), ['use_declaration']).map(each => walk.text(each));
	walk.define(name, {
		kind: typeKind(node),
		node,
		isAbstract: has(node, 'abstract_modifier'),
		isConditional: walk.isConditional,
		supertypes: [...supertypes, ...traits],
	});
	return {kind: 'type', name: walk.text(name)};
};

const makeField: Rule = (node, walk) =>
	walk.define(childOf(childIn(node, 'name'), 'name'), {kind: 'field', node, hasBody: true});

const makeConstant: Rule = (node, walk) => {
	const kind = walk.scope === '' ? 'variable' : 'field';
	walk.define(childOf(node, 'name'), {kind, node, hasBody: true});
};

const bringUsed: Rule = (node, walk) => {
	const prefix = walk.text(childOf(node, 'namespace_name'));
	for (const clause of allOf(node, ['namespace_use_clause'])) {
		const path = walk.text(childOf(clause, 'qualified_name', 'name'));
		const words = [...(prefix === '' ? [] : [prefix]), ...path.split('\\').filter(word => word)];
		const name = words.at(-1) ?? '';
		const module = words.slice(0, -1).join('\\');
		walk.bring({node: clause, module, name, local: walk.text(childIn(clause, 'alias')) || name});
	}

	walk.skip(...node.children);
};

const given = (node: Syntax, walk: Walk) => {
	const parts = childrenOf(childIn(node, 'arguments') ?? childOf(node, 'arguments'), 'argument');
	const keywords = parts.flatMap(part => childIn(part, 'name') ?? []);
	walk.skip(...keywords);
	return {
		count: parts.length - keywords.length,
		keywords: keywords.map(each => walk.text(each)),
		isOpen: parts.some(part => has(part, 'variadic_unpacking', '...')),
	};
};

const useCalled: Rule = (node, walk) => {
	const called = childIn(node, 'function') ?? childOf(node, 'name', 'qualified_name');
	const name = called?.type === 'qualified_name' ? childrenOf(called, 'name').at(-1) : called;
	walk.call(name, given(node, walk));
	// Members of a class without a name are nobody's else.
	return has(node, 'declaration_list', 'anonymous_class') ? {kind: 'function'} : undefined;
};

const useMember: Rule = (node, walk) => {
	const name = childIn(node, 'name');
	const receiver = childIn(node, 'object') ?? childIn(node, 'scope');
	if (name?.type === 'name') {
		walk.call(name, given(node, walk));
		const link = childIn(node, 'scope') === undefined ? '' : '::';
		walk.use(name, `${walk.text(receiver)}${link}`);
	}
};

const useField: Rule = (node, walk) => {
	const name = childIn(node, 'name');
	walk.use(name?.type === 'name' ? name : undefined, walk.text(childIn(node, 'object')));
};

const useConstant: Rule = (node, walk) => {
	const [scope, name] = node.children;
	walk.use(name?.type === 'name' ? name : undefined, `${walk.text(scope)}::`);
};

const skipAll: Rule = (node, walk) => walk.skip(...node.children);

export const php: Language = {
	names: ['name'],
	rules: {
		anonymous_function: insideFunction,
		arrow_function: insideFunction,
		class_constant_access_expression: useConstant,
		class_declaration: makeType,
		const_element: makeConstant,
		enum_case: (node, walk) =>
			walk.define(childIn(node, 'name'), {kind: 'variant', node, hasBody: true}),
		enum_declaration: makeType,
		function_call_expression: useCalled,
		function_definition: makeFunction,
		if_statement: () => ({kind: 'condition'}),
		interface_declaration: makeType,
		member_access_expression: useField,
		member_call_expression: useMember,
		method_declaration: makeMethod,
		namespace_definition: insideNamespace,
		namespace_use_declaration: bringUsed,
		nullsafe_member_access_expression: useField,
		nullsafe_member_call_expression: useMember,
		object_creation_expression: useCalled,
		property_element: makeField,
		scoped_call_expression: useMember,
		trait_declaration: makeType,
		variable_name: skipAll,
	},
};
