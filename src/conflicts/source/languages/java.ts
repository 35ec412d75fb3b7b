import {typeKind} from '../common-rules.ts';
import type {Parameters} from '../facts.ts';
import {allOf, childIn, childOf, childrenOf, has, type Syntax} from '../syntax.ts';
import {type Language, positional, type Rule, type Walk} from '../walk.ts';

const parametersOf = (list: Syntax | undefined, walk: Walk): Parameters => {
	const parts = childrenOf(list, 'formal_parameter', 'spread_parameter');
	const read = parts.map(part => ({
		name: walk.text(childIn(part, 'name') ?? childIn(childOf(part, 'variable_declarator'), 'name')),
		isOptional: false,
		isRest: part.type === 'spread_parameter',
	}));
	const types = parts.map(part => walk.text(childIn(part, 'type') ?? part.children[0]));
	return positional(read, types.join(', '));
};

const bindName: Rule = (node, walk) => walk.bind(childIn(node, 'name'));

const modifiersOf = (node: Syntax, walk: Walk): string => walk.text(childOf(node, 'modifiers'));

const makeMethod: Rule = (node, walk) => {
	const isConstructor = node.type !== 'method_declaration';
	const modifiers = modifiersOf(node, walk);
	const isBodyless = childIn(node, 'body') === undefined;
	walk.define(childIn(node, 'name'), {
		kind: isConstructor ? 'constructor' : 'method',
		node,
		...(isConstructor && childIn(node, 'parameters') === undefined
			? {}
			: {parameters: parametersOf(childIn(node, 'parameters'), walk)}),
		isRequired: isBodyless && !/\b(?:native|static|private)\b/.test(modifiers),
	});
	return {kind: 'function'};
};

const typeNames = (node: Syntax | undefined, walk: Walk): readonly string[] =>
	allOf(node, ['generic_type', 'scoped_type_identifier', 'type_identifier']).map(each =>
		walk.text(each).replace(/<[\s\S]*$/, ''),
	);

const makeType: Rule = (node, walk) => {
	const name = childIn(node, 'name');
	walk.define(name, {
		kind: typeKind(node),
		node,
		isAbstract: /\babstract\b/.test(modifiersOf(node, walk)),
		supertypes: [
			...typeNames(childIn(node, 'superclass'), walk),
			...typeNames(childIn(node, 'interfaces'), walk),
			...typeNames(childOf(node, 'extends_interfaces'), walk),
		],
	});
	for (const part of childrenOf(childIn(node, 'parameters'), 'formal_parameter')) {
		walk.bind(childIn(part, 'name'));
	}

	return {kind: 'type', name: walk.text(name)};
};

const makeFields: Rule = (node, walk) => {
	for (const each of childrenOf(node, 'variable_declarator')) {
		walk.define(childIn(each, 'name'), {kind: 'field', node, hasBody: true});
	}
};

const bindVariables: Rule = (node, walk) => {
	for (const each of childrenOf(node, 'variable_declarator')) {
		walk.bind(childIn(each, 'name'));
	}
};

const bringClass: Rule = (node, walk) => {
	const path = walk.text(childOf(node, 'scoped_identifier', 'identifier'));
	const at = path.lastIndexOf('.');
	const isAll = has(node, 'asterisk');
	const [module, name] = isAll ? [path, '*'] : [path.slice(0, Math.max(at, 0)), path.slice(at + 1)];
	walk.bring({node, module, name, local: isAll ? '' : name});
	walk.skip(...node.children);
};

const useCalled: Rule = (node, walk) => {
	const receiver = childIn(node, 'object');
	const name = childIn(node, 'name') ?? childIn(node, 'type');
	walk.call(name, {
		count: childIn(node, 'arguments')?.children.length ?? 0,
		keywords: [],
		isOpen: false,
	});
	if (node.type === 'method_invocation') {
		walk.use(name, receiver === undefined ? undefined : walk.text(receiver));
	}

	// Members of a class without a name are nobody's else.
	return has(node, 'class_body') ? {kind: 'function'} : undefined;
};

const useField: Rule = (node, walk) =>
	walk.use(childIn(node, 'field'), walk.text(childIn(node, 'object')));

const useReference: Rule = (node, walk) => {
	const [receiver, ...rest] = childrenOf(node, 'identifier', 'this', 'type_identifier');
	walk.use(rest.at(-1), walk.text(receiver));
};

const insideLambda: Rule = (node, walk) => {
	const parameters = childIn(node, 'parameters');
	walk.bind(...(parameters?.type === 'identifier' ? [parameters] : []));
	walk.bind(
		...(parameters?.type === 'inferred_parameters' ? childrenOf(parameters, 'identifier') : []),
	);
	return {kind: 'function'};
};

const skipAll: Rule = (node, walk) => walk.skip(...node.children);

export const java: Language = {
	names: ['identifier', 'type_identifier'],
	rules: {
		annotation_type_declaration: makeType,
		catch_formal_parameter: bindName,
		class_declaration: makeType,
		compact_constructor_declaration: makeMethod,
		constant_declaration: makeFields,
		constructor_declaration: makeMethod,
		element_value_pair: (node, walk) => walk.skip(childIn(node, 'key')),
		enhanced_for_statement: bindName,
		enum_constant: (node, walk) => {
			walk.define(childIn(node, 'name'), {kind: 'variant', node});
			return {kind: 'function'};
		},
		enum_declaration: makeType,
		field_access: useField,
		field_declaration: makeFields,
		formal_parameter: bindName,
		import_declaration: bringClass,
		interface_declaration: makeType,
		lambda_expression: insideLambda,
		local_variable_declaration: bindVariables,
		method_declaration: makeMethod,
		method_invocation: useCalled,
		method_reference: useReference,
		object_creation_expression: useCalled,
		package_declaration: skipAll,
		record_declaration: makeType,
		resource: bindName,
		spread_parameter: bindVariables,
		type_parameter: (node, walk) => walk.bind(...childrenOf(node, 'type_identifier', 'identifier')),
		type_pattern: (node, walk) => walk.bind(...childrenOf(node, 'identifier')),
	},
};
