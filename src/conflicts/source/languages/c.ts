import {defined} from '../../../lib/values.ts';
import type {Parameters} from '../facts.ts';
import {
	bindOf,
	calls,
	define,
	opensCondition,
	opensFunction,
	opensNamespace,
	positional,
} from '../rules.ts';
import {allOf, childIn, childOf, childrenIn, childrenOf, has, type Syntax} from '../syntax.ts';
import type {Language, Rule, Walk} from '../walk.ts';

const nameTypes = ['identifier', 'field_identifier', 'type_identifier', 'destructor_name'];

/** Returns the name in a declarator, below its pointers, arrays and parentheses. */
const declared = (declarator: Syntax | undefined): Syntax | undefined =>
	declarator === undefined || [...nameTypes, 'qualified_identifier'].includes(declarator.type)
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

/** Returns the declarator of a function, but not of a pointer to one. */
const functionPart = (declarator: Syntax | undefined): Syntax | undefined => {
	if (declarator?.type === 'function_declarator') {
		return has(declarator, 'parenthesized_declarator') ? undefined : declarator;
	}

	const inner = childIn(declarator, 'declarator') ?? childOf(declarator, 'function_declarator');
	return inner && functionPart(inner);
};

const parametersOf = (part: Syntax, walk: Walk): Parameters => {
	const list = childIn(part, 'parameters');
	const parts = (list?.children ?? []).filter(({type}) => type.endsWith('parameter_declaration'));
	const isVoid = parts.length === 1 && /^\s*void\s*$/.test(walk.text(parts[0]));
	const read = (isVoid ? [] : parts).map(each => ({
		name: walk.text(declared(childIn(each, 'declarator'))),
		isOptional: each.type === 'optional_parameter_declaration',
		isRest: each.type === 'variadic_parameter_declaration',
	}));
	const rest = has(list, '...', 'variadic_parameter') ? [{name: '', isRest: true}] : [];
	const types = parts.map(each => walk.text(each).replace(/\s*\b\w+\s*(?:\[.*\])?\s*$/, ''));
	return positional([...read, ...rest], types.join(', '));
};

const bindDeclared: Rule = (node, walk) => walk.bind(declared(childIn(node, 'declarator')));

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

const makeDeclarations: Rule = (node, walk) => {
	for (const declarator of childrenIn(node, 'declarator')) {
		makeDeclared(declarator, node, walk);
	}
};

const makeFunction: Rule = (node, walk) => {
	makeDeclarations(node, walk);
	return {kind: 'function'};
};

const makeType =
	(kind: 'class' | 'enum'): Rule =>
	(node, walk) => {
		const name = childIn(node, 'name');
		if (childIn(node, 'body') === undefined) {
			return undefined;
		}

		const above = childOf(node, 'base_class_clause');
		walk.define(name, {
			kind,
			node,
			supertypes: allOf(above, ['type_identifier', 'qualified_identifier']).map(each =>
				walk.text(each),
			),
		});
		return name === undefined || kind === 'enum'
			? undefined
			: {kind: 'type', name: walk.text(name)};
	};

const makeAliases: Rule = (node, walk) => {
	for (const each of childrenIn(node, 'declarator')) {
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
	const name = childIn(node, 'field', 'name');
	const receiver = childIn(node, 'argument', 'scope');
	if (name !== undefined && nameTypes.includes(name.type)) {
		const link = node.type === 'qualified_identifier' ? '::' : '';
		walk.use(name, receiver && `${walk.text(receiver)}${link}`);
	}
};

const call = calls(['function', 'type'], ['field', 'name'], {
	isSpread: ({type}) => type === 'parameter_pack_expansion',
});

export const c: Language = {
	names: ['identifier', 'type_identifier', 'field_identifier'],
	rules: {
		alias_declaration: define({kind: 'type', hasBody: true}),
		call_expression: call,
		class_specifier: makeType('class'),
		declaration: makeDeclarations,
		enum_specifier: makeType('enum'),
		enumerator: define({kind: 'variable', hasBody: true}),
		field_declaration: makeDeclarations,
		field_expression: useMember,
		for_range_loop: bindDeclared,
		function_definition: makeFunction,
		lambda_expression: opensFunction,
		namespace_definition: opensNamespace,
		new_expression: call,
		optional_parameter_declaration: bindDeclared,
		parameter_declaration: bindDeclared,
		preproc_def: makeMacro,
		preproc_function_def: makeMacro,
		preproc_if: opensCondition,
		preproc_ifdef: opensCondition,
		preproc_include: bringHeader,
		qualified_identifier: useMember,
		struct_specifier: makeType('class'),
		template_declaration: opensCondition,
		type_definition: makeAliases,
		type_parameter_declaration: bindOf('type_identifier'),
		union_specifier: makeType('class'),
		using_declaration: (node, walk) => walk.bring({node, module: '', name: '*', local: ''}),
		variadic_parameter_declaration: bindDeclared,
	},
};
