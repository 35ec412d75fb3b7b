import type {Parameters} from '../facts.ts';
import {define, member, opensFunction, positional, skip} from '../rules.ts';
import {allOf, childIn, childOf, childrenIn, childrenOf, has, type Syntax} from '../syntax.ts';
import type {Language, Rule, Walk} from '../walk.ts';

const namesIn = (node: Syntax): readonly Syntax[] =>
	childrenIn(node, 'name').filter(({type}) => type !== 'blank_identifier');

const parametersOf = (node: Syntax, walk: Walk): Parameters => {
	const list = childIn(node, 'parameters');
	const parts = childrenOf(list, 'parameter_declaration', 'variadic_parameter_declaration');
	const read = parts.flatMap(part => {
		const names = childrenIn(part, 'name').map(name => walk.text(name));
		const isRest = part.type === 'variadic_parameter_declaration';
		return (names.length === 0 ? ['_'] : names).map(name => ({name, isRest}));
	});
	return positional(read, walk.text(list));
};

const bindNames: Rule = (node, walk) => walk.bind(...namesIn(node));

const makeMethod: Rule = (node, walk) => {
	const [type] = allOf(childIn(node, 'receiver'), ['type_identifier']);
	walk.defineIn(walk.text(type), childIn(node, 'name'), {
		kind: 'method',
		node,
		parameters: parametersOf(node, walk),
	});
	return {kind: 'function'};
};

const makeType = define(node => {
	const type = childIn(node, 'type')?.type;
	return {
		kind: type === 'interface_type' ? 'interface' : type === 'struct_type' ? 'class' : 'type',
		hasBody: true,
	};
}, 'type');

const makeVariables: Rule = (node, walk) => {
	for (const name of namesIn(node)) {
		// A blank name may occur any number of times.
		const isConditional = walk.text(name) === '_';
		walk.define(name, {kind: 'variable', node, hasBody: true, isConditional});
	}
};

const makeFields: Rule = (node, walk) => {
	for (const name of namesIn(node)) {
		walk.define(name, {kind: 'field', node});
	}
};

/** Returns the name of a package from its path: the last part that is no version. */
const packageName = (path: string): string => {
	const words = path.split('/');
	const last = words.at(-1) ?? '';
	const word = /^v\d+$/.test(last) ? (words.at(-2) ?? last) : last;
	return word.replace(/\.v\d+$/, '').replace(/^go-|[.-]go$/g, '');
};

const bringPackage: Rule = (node, walk) => {
	const module = walk.text(childIn(node, 'path')).slice(1, -1);
	const alias = childIn(node, 'name');
	const isAll = alias?.type === 'dot';
	const local =
		alias === undefined
			? packageName(module)
			: alias.type === 'package_identifier'
				? walk.text(alias)
				: '';
	walk.bring({node, module, name: isAll ? '*' : '', local});
	walk.skip(...node.children);
};

const useCalled: Rule = (node, walk) => {
	const called = childIn(node, 'function');
	const given = childIn(node, 'arguments')?.children ?? [];
	const [only, ...others] = given;
	walk.call(childIn(called, 'field') ?? called, {
		count: given.filter(({type}) => type !== '...').length,
		keywords: [],
		// The results of one call may be all arguments of another.
		isOpen:
			given.some(({type}) => /variadic|\.\.\./.test(type)) ||
			(only?.type === 'call_expression' && others.length === 0),
	});
};

const bindLeft: Rule = (node, walk) => {
	if (node.type === 'short_var_declaration' || has(node, ':=') || node.type === 'range_clause') {
		walk.bind(...childrenOf(childIn(node, 'left'), 'identifier'));
	}
};

const useKey: Rule = (node, walk) => {
	const key = childIn(node, 'key') ?? childOf(node, 'literal_element');
	walk.use(childOf(key, 'identifier') ?? (key?.type === 'identifier' ? key : undefined), '{}');
};

export const go: Language = {
	names: ['identifier', 'type_identifier', 'package_identifier'],
	rules: {
		call_expression: useCalled,
		const_spec: makeVariables,
		field_declaration: makeFields,
		func_literal: opensFunction,
		function_declaration: define(
			(node, walk) => ({
				kind: 'function',
				parameters: parametersOf(node, walk),
				// These may occur any number of times.
				isConditional: ['init', '_'].includes(walk.text(childIn(node, 'name'))),
			}),
			'function',
		),
		function_type: opensFunction,
		import_spec: bringPackage,
		keyed_element: useKey,
		method_declaration: makeMethod,
		method_elem: define(
			(node, walk) => ({
				kind: 'method',
				parameters: parametersOf(node, walk),
				isRequired: true,
			}),
			'function',
		),
		package_clause: skip(),
		parameter_declaration: bindNames,
		qualified_type: member(['name'], ['package']),
		range_clause: bindLeft,
		receive_statement: bindLeft,
		selector_expression: member(['field'], ['operand']),
		short_var_declaration: bindLeft,
		source_file: (node, walk) =>
			/^\/\/(?:go:build| \+build) /m.test(walk.text(node)) ? {kind: 'condition'} : undefined,
		type_alias: makeType,
		type_parameter_declaration: bindNames,
		type_spec: makeType,
		type_switch_statement: (node, walk) =>
			walk.bind(...childrenOf(childIn(node, 'alias'), 'identifier')),
		var_spec: makeVariables,
		variadic_parameter_declaration: bindNames,
	},
};
