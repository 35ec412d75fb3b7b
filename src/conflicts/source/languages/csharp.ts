import {defined} from '../../../lib/values.ts';
import type {Parameters} from '../facts.ts';
import {
	argumentsIn,
	bindIn,
	define,
	defineEach,
	opensCondition,
	opensNamespace,
	positional,
	skip,
	typeKind,
} from '../rules.ts';
import {allOf, childIn, childOf, childrenIn, childrenOf, has, type Syntax} from '../syntax.ts';
import type {Language, Rule, Walk} from '../walk.ts';

const parametersOf = (node: Syntax, walk: Walk): Parameters => {
	const list = childIn(node, 'parameters');
	const parts = childrenOf(list, 'parameter');
	const read = parts.map(part => ({
		name: walk.text(childIn(part, 'name')),
		isOptional: has(part, '='),
	}));
	const rest = has(list, 'params', 'array_type') ? [{name: '', isRest: true}] : [];
	const types = parts.map(part => walk.text(childIn(part, 'type')));
	return {...positional([...read, ...rest], types.join(', ')), keywords: []};
};

const modifiersOf = (node: Syntax, walk: Walk): readonly string[] =>
	childrenOf(node, 'modifier').map(each => walk.text(each));

const makeFunction: Rule = (node, walk) => {
	const list = childIn(node, 'parameters');
	walk.bind(...(list?.type === 'identifier' ? [list] : []), ...childrenIn(list, 'name'));
	walk.bind(...childrenOf(list, 'parameter').map(part => childIn(part, 'name')));
	return {kind: 'function'};
};

const makeMethod: Rule = (node, walk) => {
	const isBodyless = childIn(node, 'body') === undefined;
	const modifiers = modifiersOf(node, walk);
	const explicit = childOf(node, 'explicit_interface_specifier');
	walk.define(childIn(node, 'name'), {
		kind: node.type === 'constructor_declaration' ? 'constructor' : 'method',
		node,
		...defined({form: explicit && walk.text(explicit)}),
		parameters: parametersOf(node, walk),
		isRequired:
			isBodyless && !modifiers.some(each => ['extern', 'partial', 'static'].includes(each)),
		isConditional: modifiers.includes('partial'),
	});
	return makeFunction(node, walk);
};

const makeType: Rule = (node, walk) => {
	const name = childIn(node, 'name');
	const modifiers = modifiersOf(node, walk);
	const above = childOf(node, 'base_list')?.children ?? [];
	walk.define(name, {
		kind: typeKind(node),
		node,
		isAbstract: modifiers.includes('abstract') || modifiers.includes('partial'),
		isConditional: modifiers.includes('partial'),
		supertypes: above.map(each => walk.text(each).replace(/<[\s\S]*$/, '')),
	});
	for (const part of childrenOf(childOf(node, 'parameter_list'), 'parameter')) {
		walk.defineIn(walk.text(name), childIn(part, 'name'), {kind: 'field', node: part});
	}

	return {kind: 'type', name: walk.text(name)};
};

const makeProperty = define(node => {
	const accessors = childIn(node, 'accessors');
	const bodies = allOf(accessors, ['block', 'arrow_expression_clause']);
	return {
		kind: 'field',
		hasBody: true,
		isRequired: accessors !== undefined && bodies.length === 0,
	};
});

const makeFields = defineEach(node =>
	childrenOf(childOf(node, 'variable_declaration'), 'variable_declarator'),
);

const bindVariables: Rule = (node, walk) => {
	if (walk.isLocal) {
		walk.bind(...childrenOf(node, 'variable_declarator').map(each => childIn(each, 'name')));
	}
};

const bindName = bindIn('name', 'left');

const bringNamespace: Rule = (node, walk) => {
	const alias = childIn(node, 'name');
	const [module] = childrenOf(node, 'identifier', 'qualified_name').filter(
		({field}) => field !== 'name',
	);
	walk.bring({
		node,
		module: walk.text(module),
		name: alias === undefined ? '*' : '',
		local: walk.text(alias),
	});
	walk.skip(...node.children);
};

/** Returns the name that is called or used, without its receiver and type arguments. */
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

const useMember: Rule = (node, walk) => {
	const receiver = childIn(node, 'expression', 'qualifier');
	walk.use(nameOf(childIn(node, 'name')), receiver === undefined ? '?' : walk.text(receiver));
};

const useCalled: Rule = (node, walk) =>
	walk.call(
		nameOf(childIn(node, 'function', 'type')),
		argumentsIn(childIn(node, 'arguments'), walk, {only: 'argument'}),
	);

export const csharp: Language = {
	names: ['identifier'],
	rules: {
		catch_declaration: bindName,
		class_declaration: makeType,
		constructor_declaration: makeMethod,
		declaration_expression: bindName,
		declaration_pattern: bindName,
		enum_declaration: makeType,
		enum_member_declaration: define({kind: 'variant', hasBody: true}),
		event_field_declaration: makeFields,
		field_declaration: makeFields,
		file_scoped_namespace_declaration: skip('name'),
		foreach_statement: bindName,
		interface_declaration: makeType,
		invocation_expression: useCalled,
		lambda_expression: makeFunction,
		local_function_statement: makeMethod,
		member_access_expression: useMember,
		member_binding_expression: useMember,
		method_declaration: makeMethod,
		namespace_declaration: opensNamespace,
		object_creation_expression: useCalled,
		preproc_if: opensCondition,
		property_declaration: makeProperty,
		qualified_name: useMember,
		record_declaration: makeType,
		struct_declaration: makeType,
		type_parameter: bindName,
		using_directive: bringNamespace,
		variable_declaration: bindVariables,
	},
};
