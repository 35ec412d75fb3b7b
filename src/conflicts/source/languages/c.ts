import {defined} from '../../../lib/values.ts';
import {insideNamespace} from '../common-rules.ts';
import type {Parameters} from '../facts.ts';
import {allOf, childIn, childOf, childrenOf, has, type Syntax} from '../syntax.ts';
import {type Language, positional, type Rule, type Walk} from '../walk.ts';

const nameTypes = ['identifier', 'field_identifier', 'type_identifier', 'destructor_name'];

/** Goes through pointers, arrays and parentheses to what is declared. */
const declared = (declarator: Syntax | undefined): Syntax | undefined => {
	if (declarator === undefined || nameTypes.includes(declarator.type)) {
		return declarator;
	}

	return declarator.type === 'qualified_identifier'
		? declarator
		: declared(
				childIn(declarator, 'declarator') ??
					childOf(
						declarator,
						'parenthesized_declarator',
						'pointer_declarator',
						'function_declarator',
						...nameTypes,
					),
			);
};

/** The part of a declarator that says that it is a function, unless it is a pointer to one. */
const functionPart = (declarator: Syntax | undefined): Syntax | undefined => {
	if (declarator?.type === 'function_declarator') {
		return has(declarator, 'parenthesized_declarator') ? undefined : declarator;
	}

	const inner = childIn(declarator, 'declarator') ?? childOf(declarator, 'function_declarator');
	return inner === undefined ? undefined : functionPart(inner);
};

const parameterTypes = [
	'parameter_declaration',
	'optional_parameter_declaration',
	'variadic_parameter_declaration',
];

const parametersOf = (part: Syntax, walk: Walk): Parameters => {
	const list = childIn(part, 'parameters');
	const parts = childrenOf(list, ...parameterTypes);
	const isVoid = parts.length === 1 && /^\s*void\s*$/.test(walk.text(parts[0]));
	const isOpen = has(list, '...', 'variadic_parameter');
	const read = (isVoid ? [] : parts).map(each => ({
		name: walk.text(declared(childIn(each, 'declarator'))),
		isOptional: each.type === 'optional_parameter_declaration',
		isRest: each.type === 'variadic_parameter_declaration',
	}));
	const rest = isOpen ? [{name: '', isOptional: true, isRest: true}] : [];
	const types = parts.map(each => walk.text(each).replace(/\s*\b\w+\s*(?:\[.*\])?\s*$/, ''));
	return positional([...read, ...rest], types.join(', '));
};

const bindParameters = (part: Syntax | undefined, walk: Walk): void => {
	for (const each of childrenOf(childIn(part, 'parameters'), ...parameterTypes)) {
		walk.bind(declared(childIn(each, 'declarator')));
	}
};

const makeDeclared = (declarator: Syntax, node: Syntax, walk: Walk): void => {
	const name = declared(declarator);
	const part = functionPart(declarator);
	const isMember = walk.scope !== '';
	const kind =
		part === undefined ? (isMember ? 'field' : 'variable') : isMember ? 'method' : 'function';
	const isExtern = walk.text(node).startsWith('extern ');
	const making = {
		kind,
		node,
		hasBody: node.type === 'function_definition' || (part === undefined && !isExtern && !isMember),
		isRequired: kind === 'method' && /=\s*0\s*;?$/.test(walk.text(node)),
		...defined({parameters: part && parametersOf(part, walk)}),
		form: childrenOf(part, 'type_qualifier', 'ref_qualifier')
			.map(each => walk.text(each))
			.join(' '),
	} as const;
	if (name?.type === 'qualified_identifier') {
		const own = childIn(name, 'name');
		const words = walk.text(name).split('::');
		const scope = words.at(-2) ?? '';
		walk.defineIn(scope, own?.type === 'qualified_identifier' ? childIn(own, 'name') : own, {
			...making,
			kind: part === undefined ? 'field' : 'method',
		});
		walk.skip(name);
		return;
	}

	const isConstructor = part !== undefined && walk.scope.split('.').at(-1) === walk.text(name);
	walk.define(name, isConstructor ? {...making, kind: 'constructor'} : making);
};

const makeFunction: Rule = (node, walk) => {
	const declarator = childIn(node, 'declarator');
	if (declarator !== undefined) {
		makeDeclared(declarator, node, walk);
		bindParameters(functionPart(declarator), walk);
	}

	return {kind: 'function'};
};

const makeDeclarations: Rule = (node, walk) => {
	for (const declarator of node.children.filter(({field}) => field === 'declarator')) {
		makeDeclared(declarator, node, walk);
		bindParameters(functionPart(declarator), walk);
	}
};

const makeType =
	(kind: 'class' | 'enum'): Rule =>
	(node, walk) => {
		const name = childIn(node, 'name');
		if (childIn(node, 'body') === undefined) {
			return undefined;
		}

		walk.define(name, {
			kind,
			node,
			supertypes: allOf(childOf(node, 'base_class_clause'), [
				'type_identifier',
				'qualified_identifier',
			]).map(each => walk.text(each)),
		});
		return name === undefined || kind === 'enum'
			? undefined
			: {kind: 'type', name: walk.text(name)};
	};

const makeAliases: Rule = (node, walk) => {
	for (const each of node.children.filter(({field}) => field === 'declarator')) {
		walk.define(declared(each), {kind: 'type', node, hasBody: true});
	}
};

const makeMacro: Rule = (node, walk) => {
	walk.define(childIn(node, 'name'), {
		kind: node.type === 'preproc_def' ? 'variable' : 'function',
		node,
		isConditional: true,
	});
	walk.bind(...childrenOf(childIn(node, 'parameters'), 'identifier'));
};

const bringHeader: Rule = (node, walk) => {
	const path = childIn(node, 'path');
	const isOwn = path?.type === 'string_literal';
	const module = walk.text(path).slice(1, -1);
	walk.bring({node, module: isOwn ? module : `<${module}>`, name: isOwn ? '' : '*', local: ''});
};

const useMember: Rule = (node, walk) => {
	const name = childIn(node, 'field') ?? childIn(node, 'name');
	const receiver = childIn(node, 'argument') ?? childIn(node, 'scope');
	if (name !== undefined && nameTypes.includes(name.type)) {
		const link = node.type === 'qualified_identifier' ? '::' : '';
		walk.use(name, receiver === undefined ? undefined : `${walk.text(receiver)}${link}`);
	}
};

const useCalled: Rule = (node, walk) => {
	const called = childIn(node, 'function') ?? childIn(node, 'type');
	const given = childIn(node, 'arguments')?.children ?? [];
	if (called !== undefined) {
		walk.call(childIn(called, 'field') ?? childIn(called, 'name') ?? called, {
			count: given.length,
			keywords: [],
			isOpen: given.some(({type}) => type === 'parameter_pack_expansion'),
		});
	}
};

const condition: Rule = () => ({kind: 'condition'});

export const c: Language = {
	names: ['identifier', 'type_identifier', 'field_identifier'],
	rules: {
		alias_declaration: (node, walk) =>
			walk.define(childIn(node, 'name'), {kind: 'type', node, hasBody: true}),
		call_expression: useCalled,
		catch_clause: (node, walk) => {
			bindParameters(node, walk);
		},
		class_specifier: makeType('class'),
		declaration: makeDeclarations,
		enum_specifier: makeType('enum'),
		enumerator: (node, walk) =>
			walk.define(childIn(node, 'name'), {kind: 'variable', node, hasBody: true}),
		field_declaration: makeDeclarations,
		field_expression: useMember,
		for_range_loop: (node, walk) => walk.bind(declared(childIn(node, 'declarator'))),
		function_definition: makeFunction,
		lambda_expression: (node, walk) => {
			bindParameters(childIn(node, 'declarator'), walk);
			return {kind: 'function'};
		},
		namespace_definition: insideNamespace,
		new_expression: useCalled,
		preproc_def: makeMacro,
		preproc_function_def: makeMacro,
		preproc_if: condition,
		preproc_ifdef: condition,
		preproc_include: bringHeader,
		qualified_identifier: useMember,
		struct_specifier: makeType('class'),
		template_declaration: condition,
		type_definition: makeAliases,
		type_parameter_declaration: (node, walk) => walk.bind(...childrenOf(node, 'type_identifier')),
		union_specifier: makeType('class'),
		using_declaration: (node, walk) => walk.bring({node, module: '', name: '*', local: ''}),
	},
};
