import type {Call, Parameters} from '../facts.ts';
import {
	argumentsIn,
	define,
	opensCondition,
	opensFunction,
	opensNamespace,
	positional,
	skip,
	typeKind,
} from '../rules.ts';
import {allOf, childIn, childOf, childrenOf, has, type Syntax} from '../syntax.ts';
import type {Language, Rule, Walk} from '../walk.ts';

const parametersOf = (node: Syntax, walk: Walk): Parameters => {
	const list = childIn(node, 'parameters');
	const read = (list?.children ?? [])
		.filter(({type}) => type.endsWith('_parameter'))
		.map(part => ({
			name: walk.text(childIn(part, 'name')).replace(/^\$/, ''),
			isOptional: childIn(part, 'default_value') !== undefined,
			isRest: part.type === 'variadic_parameter',
		}));
	// PHP ignores surplus arguments.
	return {...positional(read, walk.text(list)), max: Number.POSITIVE_INFINITY};
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

const makeType = define((node, walk) => {
	const above = [childOf(node, 'base_clause'), childOf(node, 'class_interface_clause')];
	const supertypes = above.flatMap(clause => childrenOf(clause, 'name', 'qualified_name'));
	// A trait may supply what an interface requires.
	const traits = allOf(childIn(node, 'body'), ['use_declaration']);
	return {
		kind: typeKind(node),
		isAbstract: has(node, 'abstract_modifier'),
		supertypes: [...supertypes, ...traits].map(each => walk.text(each)),
	};
}, 'type');

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

const argumentsOf = (node: Syntax, walk: Walk): Call =>
	argumentsIn(childIn(node, 'arguments') ?? childOf(node, 'arguments'), walk, {
		only: 'argument',
		isSpread: part => has(part, 'variadic_unpacking', '...'),
	});

const useCalled: Rule = (node, walk) => {
	const called = childIn(node, 'function') ?? childOf(node, 'name', 'qualified_name');
	const name = called?.type === 'qualified_name' ? childrenOf(called, 'name').at(-1) : called;
	walk.call(name, argumentsOf(node, walk));
	// Other files can't use members of an anonymous class.
	return has(node, 'declaration_list', 'anonymous_class') ? {kind: 'function'} : undefined;
};

/** Reports a member with a literal name, not one in a variable. */
const useNamed = (name: Syntax | undefined, receiver: string, walk: Walk): void =>
	walk.use(name?.type === 'name' ? name : undefined, receiver);

const useMethod: Rule = (node, walk) => {
	const name = childIn(node, 'name');
	const link = childIn(node, 'scope') === undefined ? '' : '::';
	walk.call(name, argumentsOf(node, walk));
	useNamed(name, `${walk.text(childIn(node, 'object', 'scope'))}${link}`, walk);
};

const useField: Rule = (node, walk) =>
	useNamed(childIn(node, 'name'), walk.text(childIn(node, 'object')), walk);

export const php: Language = {
	names: ['name'],
	rules: {
		anonymous_function: opensFunction,
		arrow_function: opensFunction,
		class_constant_access_expression: (node, walk) =>
			useNamed(node.children[1], `${walk.text(node.children[0])}::`, walk),
		class_declaration: makeType,
		const_element: makeConstant,
		enum_case: define({kind: 'variant', hasBody: true}),
		enum_declaration: makeType,
		function_call_expression: useCalled,
		function_definition: define(
			(node, walk) => ({kind: 'function', parameters: parametersOf(node, walk)}),
			'function',
		),
		if_statement: opensCondition,
		interface_declaration: makeType,
		member_access_expression: useField,
		member_call_expression: useMethod,
		method_declaration: makeMethod,
		namespace_definition: opensNamespace,
		namespace_use_declaration: bringUsed,
		nullsafe_member_access_expression: useField,
		nullsafe_member_call_expression: useMethod,
		object_creation_expression: useCalled,
		property_element: makeField,
		scoped_call_expression: useMethod,
		trait_declaration: makeType,
		variable_name: skip(),
	},
};
