import {defined} from '../../../lib/values.ts';
import {insideNamespace, typeKind} from '../common-rules.ts';
import type {Parameters} from '../facts.ts';
import {allOf, childIn, childOf, childrenOf, has, type Syntax} from '../syntax.ts';
import {type Language, positional, type Rule, type Walk} from '../walk.ts';

const parametersOf = (node: Syntax, walk: Walk): Parameters => {
	const list = childIn(node, 'parameters');
	const parts = childrenOf(list, 'parameter');
	const read = parts.map(part => ({
		name: walk.text(childIn(part, 'name')),
		isOptional: has(part, '='),
		isRest: false,
	}));
	const rest = has(list, 'params', 'array_type')
		? [{name: '', isOptional: true, isRest: true}]
		: [];
	return {
		...positional(
			[...read, ...rest],
			parts.map(part => walk.text(childIn(part, 'type'))).join(', '),
		),
		keywords: [],
	};
};

const modifiersOf = (node: Syntax, walk: Walk): readonly string[] =>
	childrenOf(node, 'modifier').map(each => walk.text(each));

const insideFunction: Rule = (node, walk) => {
	const list = childIn(node, 'parameters');
	walk.bind(...(list?.type === 'identifier' ? [list] : []));
	for (const part of childrenOf(list, 'parameter')) {
		walk.bind(childIn(part, 'name'));
	}

	walk.bind(...(list?.children.filter(({field}) => field === 'name') ?? []));
	return {kind: 'function'};
};

const makeMethod: Rule = (node, walk) => {
	const isBodyless = childIn(node, 'body') === undefined;
	const modifiers = modifiersOf(node, walk);
	const standsFor = childOf(node, 'explicit_interface_specifier');
	walk.define(childIn(node, 'name'), {
		kind: node.type === 'constructor_declaration' ? 'constructor' : 'method',
		node,
		...defined({form: standsFor && walk.text(standsFor)}),
		parameters: parametersOf(node, walk),
		isRequired:
			isBodyless && !modifiers.some(each => ['extern', 'partial', 'static'].includes(each)),
		isConditional: walk.isConditional || modifiers.includes('partial'),
	});
	return insideFunction(node, walk);
};

const makeType: Rule = (node, walk) => {
	const name = childIn(node, 'name');
	const modifiers = modifiersOf(node, walk);
	walk.define(name, {
		kind: typeKind(node),
		node,
		isAbstract: modifiers.includes('abstract') || modifiers.includes('partial'),
		isConditional: walk.isConditional || modifiers.includes('partial'),
		supertypes:
			childOf(node, 'base_list')?.children.map(each => walk.text(each).replace(/<[\s\S]*$/, '')) ??
			[],
	});
	for (const part of childrenOf(childOf(node, 'parameter_list'), 'parameter')) {
		walk.defineIn(walk.text(name), childIn(part, 'name'), {kind: 'field', node: part});
	}

	return {kind: 'type', name: walk.text(name)};
};

const makeProperty: Rule = (node, walk) => {
	const accessors = childIn(node, 'accessors');
	walk.define(childIn(node, 'name'), {
		kind: 'field',
		node,
		hasBody: true,
		isRequired:
			accessors !== undefined &&
			allOf(accessors, ['block', 'arrow_expression_clause']).length === 0,
	});
};

const makeVariables: Rule = (node, walk) => {
	for (const each of childrenOf(childOf(node, 'variable_declaration'), 'variable_declarator')) {
		walk.define(childIn(each, 'name'), {kind: 'field', node, hasBody: true});
	}
};

const bindVariables: Rule = (node, walk) => {
	if (!walk.isLocal) {
		return;
	}

	for (const each of childrenOf(node, 'variable_declarator')) {
		walk.bind(childIn(each, 'name'));
	}
};

const bindName: Rule = (node, walk) => walk.bind(childIn(node, 'name') ?? childIn(node, 'left'));

const bringNamespace: Rule = (node, walk) => {
	const alias = childIn(node, 'name');
	const module = walk.text(
		node.children.find(
			({type, field}) => field !== 'name' && ['identifier', 'qualified_name'].includes(type),
		),
	);
	walk.bring({node, module, name: alias === undefined ? '*' : '', local: walk.text(alias)});
	walk.skip(...node.children);
};

const useMember: Rule = (node, walk) => {
	const name = childIn(node, 'name');
	const own = name?.type === 'generic_name' ? childOf(name, 'identifier') : name;
	const receiver = childIn(node, 'expression') ?? childIn(node, 'qualifier');
	walk.use(own, receiver === undefined ? '?' : walk.text(receiver));
};

const nameOf = (called: Syntax | undefined): Syntax | undefined => {
	switch (called?.type) {
		case 'member_access_expression':
		case 'member_binding_expression':
			return nameOf(childIn(called, 'name'));
		case 'conditional_access_expression':
			return nameOf(childOf(called, 'member_binding_expression'));
		case 'generic_name':
			return childOf(called, 'identifier');
		default:
			return called;
	}
};

const useCalled: Rule = (node, walk) => {
	const given = childrenOf(childIn(node, 'arguments'), 'argument');
	const named = given.filter(each => childIn(each, 'name') !== undefined);
	walk.call(nameOf(childIn(node, 'function') ?? childIn(node, 'type')), {
		count: given.length - named.length,
		keywords: named.map(each => walk.text(childIn(each, 'name'))),
		isOpen: false,
	});
	walk.skip(...named.map(each => childIn(each, 'name')));
};

export const csharp: Language = {
	names: ['identifier'],
	rules: {
		catch_declaration: bindName,
		class_declaration: makeType,
		constructor_declaration: makeMethod,
		declaration_expression: bindName,
		declaration_pattern: bindName,
		enum_declaration: makeType,
		enum_member_declaration: (node, walk) =>
			walk.define(childIn(node, 'name'), {kind: 'variant', node, hasBody: true}),
		event_field_declaration: makeVariables,
		field_declaration: makeVariables,
		file_scoped_namespace_declaration: (node, walk) => walk.skip(childIn(node, 'name')),
		foreach_statement: bindName,
		interface_declaration: makeType,
		invocation_expression: useCalled,
		lambda_expression: insideFunction,
		local_function_statement: makeMethod,
		member_access_expression: useMember,
		member_binding_expression: useMember,
		method_declaration: makeMethod,
		namespace_declaration: insideNamespace,
		object_creation_expression: useCalled,
		preproc_if: () => ({kind: 'condition'}),
		property_declaration: makeProperty,
		qualified_name: useMember,
		record_declaration: makeType,
		struct_declaration: makeType,
		type_parameter: bindName,
		using_directive: bringNamespace,
		variable_declaration: bindVariables,
	},
};
