import type {Parameters} from '../facts.ts';
import {allOf, childIn, childOf, childrenOf, has, type Syntax} from '../syntax.ts';
import {type Language, positional, type Rule, type Walk} from '../walk.ts';

const namesIn = (node: Syntax): readonly Syntax[] =>
	node.children.filter(({field, type}) => field === 'name' && type !== 'blank_identifier');

const parametersOf = (list: Syntax | undefined, walk: Walk): Parameters => {
	const parts = childrenOf(list, 'parameter_declaration', 'variadic_parameter_declaration');
	const read = parts.flatMap(part => {
		const names = part.children.filter(({field}) => field === 'name').map(name => walk.text(name));
		const isRest = part.type === 'variadic_parameter_declaration';
		return (names.length === 0 ? ['_'] : names).map(name => ({name, isOptional: false, isRest}));
	});
	return positional(read, walk.text(list));
};

const bindParameters = (node: Syntax, walk: Walk): void => {
	for (const list of [...childrenOf(node, 'parameter_list', 'type_parameter_list')]) {
		for (const part of list.children) {
			walk.bind(...namesIn(part));
		}
	}
};

const insideFunction: Rule = (node, walk) => {
	bindParameters(node, walk);
	return {kind: 'function'};
};

const makeFunction: Rule = (node, walk) => {
	const name = childIn(node, 'name');
	walk.define(name, {
		kind: 'function',
		node,
		parameters: parametersOf(childIn(node, 'parameters'), walk),
		// There may be any number of these.
		isConditional: walk.isConditional || ['init', '_'].includes(walk.text(name)),
	});
	return insideFunction(node, walk);
};

const makeMethod: Rule = (node, walk) => {
	const [type] = allOf(childIn(node, 'receiver'), ['type_identifier']);
	walk.defineIn(walk.text(type), childIn(node, 'name'), {
		kind: 'method',
		node,
		parameters: parametersOf(childIn(node, 'parameters'), walk),
	});
	return insideFunction(node, walk);
};

const makeType: Rule = (node, walk) => {
	const name = childIn(node, 'name');
	const type = childIn(node, 'type')?.type;
	walk.define(name, {
		kind: type === 'interface_type' ? 'interface' : type === 'struct_type' ? 'class' : 'type',
		node,
		hasBody: true,
	});
	return {kind: 'type', name: walk.text(name)};
};

const makeVariables: Rule = (node, walk) => {
	for (const name of namesIn(node)) {
		// There may be any number without a name.
		const isConditional = walk.isConditional || walk.text(name) === '_';
		walk.define(name, {kind: 'variable', node, hasBody: true, isConditional});
	}
};

const makeFields: Rule = (node, walk) => {
	for (const name of namesIn(node)) {
		walk.define(name, {kind: 'field', node});
	}
};

const makeRequired: Rule = (node, walk) => {
	walk.define(childIn(node, 'name'), {
		kind: 'method',
		node,
		parameters: parametersOf(childIn(node, 'parameters'), walk),
		isRequired: true,
	});
	return insideFunction(node, walk);
};

/** A package is called by the last word of its path, unless that is a version. */
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

const useMember: Rule = (node, walk) => {
	const receiver = childIn(node, 'operand') ?? childIn(node, 'package');
	walk.use(childIn(node, 'field') ?? childIn(node, 'name'), walk.text(receiver));
};

const useCalled: Rule = (node, walk) => {
	const called = childIn(node, 'function');
	const given = childIn(node, 'arguments')?.children ?? [];
	if (called !== undefined) {
		const [only, ...others] = given;
		walk.call(childIn(called, 'field') ?? called, {
			count: given.filter(({type}) => type !== '...').length,
			keywords: [],
			// One call may give all that the other one takes.
			isOpen:
				given.some(({type}) => /variadic|\.\.\./.test(type)) ||
				(only?.type === 'call_expression' && others.length === 0),
		});
	}
};

const bindLeft: Rule = (node, walk) => {
	if (node.type === 'short_var_declaration' || has(node, ':=') || node.type === 'range_clause') {
		walk.bind(...childrenOf(childIn(node, 'left'), 'identifier'));
	}
};

const skipKey: Rule = (node, walk) => {
	const key = childIn(node, 'key') ?? childOf(node, 'literal_element');
	walk.use(childOf(key, 'identifier') ?? (key?.type === 'identifier' ? key : undefined), '{}');
};

export const go: Language = {
	names: ['identifier', 'type_identifier', 'package_identifier'],
	rules: {
		call_expression: useCalled,
		const_spec: makeVariables,
		field_declaration: makeFields,
		func_literal: insideFunction,
		function_declaration: makeFunction,
		function_type: insideFunction,
		import_spec: bringPackage,
		keyed_element: skipKey,
		method_declaration: makeMethod,
		method_elem: makeRequired,
		package_clause: (node, walk) => walk.skip(...node.children),
		qualified_type: useMember,
		range_clause: bindLeft,
		receive_statement: bindLeft,
		selector_expression: useMember,
		short_var_declaration: bindLeft,
		source_file: (node, walk) =>
			/^\/\/(?:go:build| \+build) /m.test(walk.text(node)) ? {kind: 'condition'} : undefined,
		type_alias: makeType,
		type_spec: makeType,
		type_switch_statement: (node, walk) =>
			walk.bind(...childrenOf(childIn(node, 'alias'), 'identifier')),
		var_spec: makeVariables,
	},
};
