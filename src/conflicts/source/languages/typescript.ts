import {allOf, childIn, childOf, has, type Syntax} from '../syntax.ts';
import {type Language, positional, type Rule, type Walk} from '../walk.ts';
import {bringImported, bringRequired, handOnExported, patternNames} from './typescript-modules.ts';

const functionTypes = ['arrow_function', 'function_expression', 'generator_function'];

const parameterList = (node: Syntax): Syntax | undefined => childIn(node, 'parameters');

const parametersOf = (node: Syntax, walk: Walk) => {
	const single = childIn(node, 'parameter');
	const parts = single === undefined ? (parameterList(node)?.children ?? []) : [single];
	const read = parts
		.filter(({type}) => /parameter|identifier|pattern/.test(type))
		.map(part => {
			const pattern = childIn(part, 'pattern') ?? part;
			return {
				name: walk.text(patternNames(pattern)[0] ?? pattern),
				isThis: pattern.type === 'this',
				isOptional:
					part.type === 'optional_parameter' ||
					part.type === 'assignment_pattern' ||
					childIn(part, 'value') !== undefined,
				isRest: pattern.type === 'rest_pattern',
			};
		})
		.filter(({isThis}) => !isThis);
	return positional(read, walk.text(parameterList(node)));
};

const bindParameters = (node: Syntax, walk: Walk): void => {
	walk.bind(...patternNames(childIn(node, 'parameter')));
	for (const part of parameterList(node)?.children ?? []) {
		walk.bind(...patternNames(childIn(part, 'pattern') ?? part));
	}
};

const insideFunction: Rule = (node, walk) => {
	bindParameters(node, walk);
	return {kind: 'function'};
};

const makeFunction: Rule = (node, walk) => {
	walk.define(childIn(node, 'name'), {
		kind: 'function',
		node,
		parameters: parametersOf(node, walk),
	});
	return insideFunction(node, walk);
};

const makeMethod: Rule = (node, walk) => {
	const name = childIn(node, 'name');
	const isAccessor = has(node, 'get', 'set');
	walk.define(name, {
		kind: walk.text(name) === 'constructor' ? 'constructor' : isAccessor ? 'field' : 'method',
		node,
		...(isAccessor ? {} : {parameters: parametersOf(node, walk)}),
		...formOf(node),
		isRequired: node.type !== 'method_definition' && !has(node, '?'),
	});
	for (const part of childIn(node, 'parameters')?.children ?? []) {
		if (has(part, 'accessibility_modifier', 'override_modifier', 'readonly')) {
			walk.asMember(() => walk.define(childIn(part, 'pattern'), {kind: 'field', node: part}));
		}
	}

	return insideFunction(node, walk);
};

/** What is read may have the name of what is written, and what is static that of what is not. */
const formOf = (node: Syntax): {readonly form?: string} => {
	const form = ['static', 'get', 'set'].filter(word => has(node, word)).join(' ');
	return form === '' ? {} : {form};
};

const makeField: Rule = (node, walk) => {
	const name = childIn(node, 'name') ?? childIn(node, 'property');
	const value = childIn(node, 'value');
	const isFunction = functionTypes.includes(value?.type ?? '');
	walk.define(name, {
		kind: isFunction ? 'method' : 'field',
		node,
		...(isFunction && value !== undefined ? {parameters: parametersOf(value, walk)} : {}),
		...formOf(node),
		isRequired: node.type === 'property_signature' && !has(node, '?'),
	});
};

const supertypesOf = (node: Syntax, walk: Walk): readonly string[] =>
	allOf(childOf(node, 'class_heritage', 'extends_type_clause'), [
		'identifier',
		'type_identifier',
		'member_expression',
	]).map(name => walk.text(name));

const makeClass: Rule = (node, walk) => {
	const name = childIn(node, 'name');
	walk.define(name, {
		kind: node.type === 'interface_declaration' ? 'interface' : 'class',
		node,
		isAbstract: node.type === 'abstract_class_declaration',
		supertypes: supertypesOf(node, walk),
	});
	return name === undefined ? {kind: 'function'} : {kind: 'type', name: walk.text(name)};
};

const makeVariable: Rule = (node, walk) => {
	if (!walk.isLocal && bringRequired(node, walk)) {
		return;
	}

	const name = childIn(node, 'name');
	const value = childIn(node, 'value');
	const isFunction = functionTypes.includes(value?.type ?? '');
	for (const each of patternNames(name)) {
		walk.define(each, {
			kind: isFunction ? 'function' : 'variable',
			node,
			hasBody: true,
			...(isFunction && value !== undefined ? {parameters: parametersOf(value, walk)} : {}),
		});
	}
};

const useMember: Rule = (node, walk) => {
	const receiver = childIn(node, 'object') ?? childIn(node, 'module');
	walk.use(childIn(node, 'property') ?? childIn(node, 'name'), walk.text(receiver));
};

const useCalled: Rule = (node, walk) => {
	const called = childIn(node, 'function') ?? childIn(node, 'constructor');
	const given = childIn(node, 'arguments');
	if (given?.type === 'arguments' && called !== undefined) {
		walk.call(childIn(called, 'property') ?? called, {
			count: given.children.length,
			keywords: [],
			isOpen: has(given, 'spread_element'),
		});
	}
};

/** A key makes a member of an object of which nobody knows the type. */
const bindKey: Rule = (node, walk) => {
	const key = childIn(node, 'key');
	if (key?.type === 'property_identifier') {
		walk.bind(key);
	}
};

/** `exports.area = …` hands a name on, and `client.send = …` makes a member. */
const makeAssigned: Rule = (node, walk) => {
	const left = childIn(node, 'left');
	const name = childIn(left, 'property');
	if (name === undefined) {
		return;
	}

	const object = walk.text(childIn(left, 'object'));
	if (object === 'exports' || object === 'module.exports') {
		walk.handOn(node, walk.text(name));
	} else if (object === 'module') {
		walk.handOn(node, '*');
	} else {
		walk.bindText(walk.text(name));
	}
};

const bindCaught: Rule = (node, walk) => walk.bind(...patternNames(childIn(node, 'parameter')));

const bindLooped: Rule = (node, walk) => {
	if (has(node, 'const', 'let', 'var')) {
		walk.bind(...patternNames(childIn(node, 'left')));
	}
};

const makeNamed =
	(kind: 'enum' | 'type' | 'module'): Rule =>
	(node, walk) => {
		const name = childIn(node, 'name');
		walk.define(name, {kind, node});
		return {kind: 'type', name: walk.text(name)};
	};

const makeVariants: Rule = (node, walk) => {
	for (const child of node.children) {
		const name = childIn(child, 'name') ?? child;
		walk.define(name, {kind: 'variant', node: child});
	}
};

const useElement: Rule = (node, walk) => {
	const name = childIn(node, 'name');
	// Elements in lower case are the page's own.
	if (name?.type === 'identifier' && /^[a-z]/.test(walk.text(name))) {
		walk.skip(name);
	}
};

export const typescript: Language = {
	names: ['identifier', 'type_identifier', 'shorthand_property_identifier'],
	rules: {
		abstract_class_declaration: makeClass,
		abstract_method_signature: makeMethod,
		arrow_function: insideFunction,
		assignment_expression: makeAssigned,
		call_expression: useCalled,
		catch_clause: bindCaught,
		class: makeClass,
		class_declaration: makeClass,
		enum_body: makeVariants,
		enum_declaration: makeNamed('enum'),
		export_statement: handOnExported,
		field_definition: makeField,
		for_in_statement: bindLooped,
		function_declaration: makeFunction,
		function_expression: insideFunction,
		function_signature: makeFunction,
		function_type: insideFunction,
		generator_function: insideFunction,
		generator_function_declaration: makeFunction,
		import_statement: bringImported,
		interface_declaration: makeClass,
		internal_module: makeNamed('module'),
		jsx_closing_element: useElement,
		jsx_opening_element: useElement,
		jsx_self_closing_element: useElement,
		member_expression: useMember,
		method_definition: makeMethod,
		method_signature: makeMethod,
		nested_type_identifier: useMember,
		new_expression: useCalled,
		// Members of an object, as those of a class without a name, are nobody's else.
		object: () => ({kind: 'function'}),
		pair: bindKey,
		property_signature: makeField,
		public_field_definition: makeField,
		type_alias_declaration: makeNamed('type'),
		type_parameter: (node, walk) => walk.bind(childIn(node, 'name')),
		// With `var` a name may be made any number of times.
		variable_declaration: () => ({kind: 'condition'}),
		variable_declarator: makeVariable,
	},
};
