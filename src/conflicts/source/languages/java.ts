import type {Parameters} from '../facts.ts';
import {
	argumentsIn,
	bindIn,
	bindOf,
	define,
	defineEach,
	member,
	positional,
	skip,
	typeKind,
} from '../rules.ts';
import {allOf, childIn, childOf, childrenOf, has, type Syntax} from '../syntax.ts';
import type {Language, Rule, Walk} from '../walk.ts';

const parametersOf = (list: Syntax, walk: Walk): Parameters => {
	const parts = childrenOf(list, 'formal_parameter', 'spread_parameter');
	const read = parts.map(part => ({
		name: walk.text(childIn(part, 'name') ?? childIn(childOf(part, 'variable_declarator'), 'name')),
		isRest: part.type === 'spread_parameter',
	}));
	const types = parts.map(part => walk.text(childIn(part, 'type') ?? part.children[0]));
	return positional(read, types.join(', '));
};

const modifiersOf = (node: Syntax, walk: Walk): string => walk.text(childOf(node, 'modifiers'));

const makeMethod = define((node, walk) => {
	const list = childIn(node, 'parameters');
	const isBodyless = childIn(node, 'body') === undefined;
	return {
		kind: node.type === 'method_declaration' ? 'method' : 'constructor',
		// The compact constructor of a record has no parameter list.
		...(list === undefined ? {} : {parameters: parametersOf(list, walk)}),
		isRequired: isBodyless && !/\b(?:native|static|private)\b/.test(modifiersOf(node, walk)),
	};
}, 'function');

const makeType = define((node, walk) => {
	const above = [
		childIn(node, 'superclass'),
		childIn(node, 'interfaces'),
		childOf(node, 'extends_interfaces'),
	];
	return {
		kind: typeKind(node),
		isAbstract: /\babstract\b/.test(modifiersOf(node, walk)),
		supertypes: above
			.flatMap(each => allOf(each, ['generic_type', 'scoped_type_identifier', 'type_identifier']))
			.map(each => walk.text(each).replace(/<[\s\S]*$/, '')),
	};
}, 'type');

const declaratorsOf = (node: Syntax) => childrenOf(node, 'variable_declarator');

const makeFields = defineEach(declaratorsOf);

const bindVariables: Rule = (node, walk) =>
	walk.bind(...declaratorsOf(node).map(each => childIn(each, 'name')));

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
	const name = childIn(node, 'name', 'type');
	walk.call(name, argumentsIn(childIn(node, 'arguments'), walk));
	if (node.type === 'method_invocation') {
		walk.use(name, receiver === undefined ? undefined : walk.text(receiver));
	}

	// Other files can't use members of an anonymous class.
	return has(node, 'class_body') ? {kind: 'function'} : undefined;
};

const useReference: Rule = (node, walk) => {
	const [receiver, ...rest] = childrenOf(node, 'identifier', 'this', 'type_identifier');
	walk.use(rest.at(-1), walk.text(receiver));
};

const makeLambda: Rule = (node, walk) => {
	const parameters = childIn(node, 'parameters');
	if (parameters?.type === 'identifier') {
		walk.bind(parameters);
	}

	return {kind: 'function'};
};

export const java: Language = {
	names: ['identifier', 'type_identifier'],
	rules: {
		annotation_type_declaration: makeType,
		catch_formal_parameter: bindIn('name'),
		class_declaration: makeType,
		compact_constructor_declaration: makeMethod,
		constant_declaration: makeFields,
		constructor_declaration: makeMethod,
		element_value_pair: skip('key'),
		enhanced_for_statement: bindIn('name'),
		enum_constant: define({kind: 'variant'}, 'function'),
		enum_declaration: makeType,
		field_access: member(['field'], ['object']),
		field_declaration: makeFields,
		formal_parameter: bindIn('name'),
		import_declaration: bringClass,
		inferred_parameters: bindOf('identifier'),
		interface_declaration: makeType,
		lambda_expression: makeLambda,
		local_variable_declaration: bindVariables,
		method_declaration: makeMethod,
		method_invocation: useCalled,
		method_reference: useReference,
		object_creation_expression: useCalled,
		package_declaration: skip(),
		record_declaration: makeType,
		resource: bindIn('name'),
		spread_parameter: bindVariables,
		type_parameter: bindOf('type_identifier', 'identifier'),
		type_pattern: bindOf('identifier'),
	},
};
