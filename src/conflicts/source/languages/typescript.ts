import {
	bindIn,
	calls,
	define,
	member,
	opensCondition,
	opensFunction,
	positional,
} from '../rules.ts';
import {allOf, childIn, childOf, has, type Syntax} from '../syntax.ts';
import type {Language, Making, Rule, Walk} from '../walk.ts';
import {
	bringImported,
	bringRequired,
	handOnExported,
	patternNames,
	requiredBy,
} from './typescript-modules.ts';

const parametersOf = (node: Syntax, walk: Walk) => {
	const single = childIn(node, 'parameter');
	const list = childIn(node, 'parameters');
	const parts = single === undefined ? (list?.children ?? []) : [single];
	const read = parts
		.filter(({type}) => /parameter|identifier|pattern/.test(type))
		.map(part => ({part, pattern: childIn(part, 'pattern') ?? part}))
		.filter(({pattern}) => pattern.type !== 'this')
		.map(({part, pattern}) => ({
			name: walk.text(patternNames(pattern)[0] ?? pattern),
			isOptional:
				part.type === 'optional_parameter' ||
				part.type === 'assignment_pattern' ||
				childIn(part, 'value') !== undefined,
			isRest: pattern.type === 'rest_pattern',
		}));
	return positional(read, walk.text(list));
};

const bindParameters: Rule = (node, walk) =>
	walk.bind(...node.children.flatMap(part => patternNames(childIn(part, 'pattern') ?? part)));

const makeFunction = define(
	(node, walk) => ({kind: 'function', parameters: parametersOf(node, walk)}),
	'function',
);

const makeArrow: Rule = (node, walk) => {
	walk.bind(...patternNames(childIn(node, 'parameter')));
	return {kind: 'function'};
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

	return {kind: 'function'};
};

/** Returns the form of a member: a getter may share its name with a setter, and a static member with an instance's. */
const formOf = (node: Syntax): {readonly form?: string} => {
	const form = ['static', 'get', 'set'].filter(word => has(node, word)).join(' ');
	return form === '' ? {} : {form};
};

/** Returns the kind of a variable or field: callable if its value is a function. */
const kindByValue = (
	node: Syntax,
	walk: Walk,
	[plain, callable]: readonly [Making['kind'], Making['kind']],
): Pick<Making, 'kind' | 'parameters'> => {
	const value = childIn(node, 'value', 'right');
	const isFunction = ['arrow_function', 'function_expression', 'generator_function'];
	return value !== undefined && isFunction.includes(value.type)
		? {kind: callable, parameters: parametersOf(value, walk)}
		: {kind: plain};
};

const makeField: Rule = (node, walk) =>
	walk.define(childIn(node, 'name', 'property'), {
		...kindByValue(node, walk, ['field', 'method']),
		node,
		...formOf(node),
		isRequired: node.type === 'property_signature' && !has(node, '?'),
	});

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

	const made = {...kindByValue(node, walk, ['variable', 'function']), node, hasBody: true};
	for (const each of patternNames(childIn(node, 'name'))) {
		walk.define(each, made);
	}
};

const called = calls(['function', 'constructor'], ['property'], {
	lists: ['arguments'],
	isSpread: ({type}) => type === 'spread_element',
});

const call: Rule = (node, walk) => {
	const module = requiredBy(node, walk);
	if (module !== undefined) {
		walk.bring({node, module, name: '', local: ''});
	}

	// `Object.assign(exports, …)` may add any names.
	if (childIn(node, 'arguments')?.children.some(each => isExports(each, walk))) {
		walk.handOn(node, '*');
	}

	return called(node, walk);
};

const qualified = member(['property', 'name'], ['object', 'module']);

/** Binds a key of an object literal as a local name, since the literal's type is unknown. */
const bindKey: Rule = (node, walk) => {
	const key = childIn(node, 'key');
	if (key?.type === 'property_identifier') {
		walk.bind(key);
	}
};

/** Reads `exports.area = …` and `module.exports = {area}` as exports, and `client.send = …` as a new member. */
const makeAssigned: Rule = (node, walk) => {
	const left = childIn(node, 'left');
	const right = childIn(node, 'right');
	const name = childIn(left, 'property');
	if (name !== undefined && isExports(childIn(left, 'object'), walk)) {
		walk.handOn(node, walk.text(name));
		// For `exports.area = area` the function itself is the definition.
		if (right?.type !== 'identifier') {
			walk.define(name, {...kindByValue(node, walk, ['variable', 'function']), node});
		}
	} else if (name !== undefined && isExports(left, walk)) {
		handOnMembers(right, node, walk);
	} else if (name !== undefined) {
		walk.bindText(walk.text(name));
	}
};

const isExports = (node: Syntax | undefined, walk: Walk): boolean =>
	['exports', 'module.exports'].includes(walk.text(node));

/** Exports the members of an object literal, or any names for another value. */
const handOnMembers = (value: Syntax | undefined, node: Syntax, walk: Walk): void => {
	for (const part of value?.type === 'object' ? value.children : [node]) {
		const key = childIn(part, 'key', 'name');
		if (part.type === 'shorthand_property_identifier') {
			walk.handOn(part, walk.text(part));
		} else if (key?.type === 'property_identifier') {
			walk.handOn(part, walk.text(key));
			if (childIn(part, 'value')?.type !== 'identifier') {
				walk.define(key, {
					...(part.type === 'method_definition'
						? {kind: 'function', parameters: parametersOf(part, walk)}
						: kindByValue(part, walk, ['variable', 'function'])),
					node: part,
				});
			}
		} else {
			walk.handOn(part, '*');
		}
	}
};

const bindCaught: Rule = (node, walk) => walk.bind(...patternNames(childIn(node, 'parameter')));

const bindLooped: Rule = (node, walk) => {
	if (has(node, 'const', 'let', 'var')) {
		walk.bind(...patternNames(childIn(node, 'left')));
	}
};

const makeVariants: Rule = (node, walk) => {
	for (const child of node.children) {
		const name = childIn(child, 'name') ?? child;
		walk.define(name, {kind: 'variant', node: child});
	}
};

const useElement: Rule = (node, walk) => {
	const name = childIn(node, 'name');
	// Lower-case elements belong to HTML.
	if (name?.type === 'identifier' && /^[a-z]/.test(walk.text(name))) {
		walk.skip(name);
	}
};

export const typescript: Language = {
	names: ['identifier', 'type_identifier', 'shorthand_property_identifier'],
	rules: {
		abstract_class_declaration: makeClass,
		abstract_method_signature: makeMethod,
		arrow_function: makeArrow,
		assignment_expression: makeAssigned,
		call_expression: call,
		catch_clause: bindCaught,
		class: makeClass,
		class_declaration: makeClass,
		enum_body: makeVariants,
		enum_declaration: define({kind: 'enum'}, 'type'),
		export_statement: handOnExported,
		field_definition: makeField,
		for_in_statement: bindLooped,
		formal_parameters: bindParameters,
		function_declaration: makeFunction,
		function_expression: opensFunction,
		function_signature: makeFunction,
		function_type: opensFunction,
		generator_function: opensFunction,
		generator_function_declaration: makeFunction,
		import_statement: bringImported,
		interface_declaration: makeClass,
		internal_module: define({kind: 'module'}, 'type'),
		jsx_closing_element: useElement,
		jsx_opening_element: useElement,
		jsx_self_closing_element: useElement,
		member_expression: qualified,
		method_definition: makeMethod,
		method_signature: makeMethod,
		nested_type_identifier: qualified,
		new_expression: call,
		// Other files can't use members of an object literal.
		object: opensFunction,
		pair: bindKey,
		property_signature: makeField,
		public_field_definition: makeField,
		type_alias_declaration: define({kind: 'type'}, 'type'),
		type_parameter: bindIn('name'),
		// `var` may declare a name any number of times.
		variable_declaration: opensCondition,
		variable_declarator: makeVariable,
	},
};
