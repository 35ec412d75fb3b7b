import type {DefinitionKind, Parameters} from '../facts.ts';
import {argumentsIn, bindIn, define, member, opensFunction, positional, skip} from '../rules.ts';
import {allOf, childIn, childrenOf, has, type Syntax} from '../syntax.ts';
import type {Language, Rule, Walk} from '../walk.ts';

const patternNames = (pattern: Syntax | undefined, walk: Walk): readonly Syntax[] => {
	if (pattern?.type === 'identifier') {
		// A capital means a constant or a variant to match.
		return /^[a-z_]/.test(walk.text(pattern)) ? [pattern] : [];
	}

	if (pattern?.type === 'shorthand_field_identifier') {
		return [pattern];
	}

	return (pattern?.children ?? [])
		.filter(({field, type}) => field !== 'type' && !/scoped|expression/.test(type))
		.flatMap(child => patternNames(child, walk));
};

const parametersOf = (node: Syntax, walk: Walk): Parameters => {
	const list = childIn(node, 'parameters');
	const parts = childrenOf(list, 'parameter');
	return positional(
		parts.map(part => ({name: walk.text(childIn(part, 'pattern'))})),
		walk.text(list),
	);
};

const bindPattern: Rule = (node, walk) =>
	walk.bind(...patternNames(childIn(node, 'pattern'), walk));

const isConditional = (node: Syntax, walk: Walk): boolean =>
	walk.decoratorsOf(node).some(text => /\bcfg|macro_export/.test(text));

const makeFunction = define(
	(node, walk) => ({
		kind: has(childIn(node, 'parameters'), 'self_parameter') ? 'method' : 'function',
		parameters: parametersOf(node, walk),
		isRequired: node.type === 'function_signature_item',
		isConditional: isConditional(node, walk),
	}),
	'function',
);

const makeNamed = (kind: DefinitionKind, opens?: 'type'): Rule =>
	define(
		(node, walk) => ({
			kind,
			hasBody: true,
			// Constants without a name may occur any number of times.
			isConditional: isConditional(node, walk) || walk.text(childIn(node, 'name')) === '_',
		}),
		opens,
	);

const makeModule = define(
	(node, walk) => ({kind: 'module', isConditional: isConditional(node, walk)}),
	'type',
);

const makeMacro: Rule = (node, walk) => {
	walk.define(childIn(node, 'name'), {kind: 'function', node, isConditional: true});
	walk.skip(...node.children);
};

const insideImplementation: Rule = (node, walk) => {
	const type = childIn(node, 'type');
	const [name] = allOf(type, ['type_identifier']);
	const trait = childIn(node, 'trait');
	if (trait !== undefined) {
		const own = childIn(trait, 'name', 'type') ?? trait;
		const supertype = walk.text(childIn(own, 'name') ?? own);
		walk.defineIn(walk.scope, name, {
			kind: 'class',
			node,
			supertypes: [supertype],
			isConditional: true,
		});
	}

	const suffix = trait === undefined ? '' : ` as ${walk.text(trait)}`;
	const attributes = walk.decoratorsOf(node).filter(text => /\bcfg/.test(text));
	return {kind: 'type', name: [`${walk.text(name)}${suffix}`, ...attributes].join(' ')};
};

const bringUsed: Rule = (node, walk) => {
	const tree = childIn(node, 'argument');
	if (tree !== undefined) {
		bringTree(tree, '', walk);
	}

	walk.skip(...node.children);
};

const bringTree = (tree: Syntax, prefix: string, walk: Walk): void => {
	const below = (path: string) => (prefix === '' ? path : `${prefix}::${path}`);
	switch (tree.type) {
		case 'use_list':
			for (const child of tree.children) {
				bringTree(child, prefix, walk);
			}

			break;
		case 'scoped_use_list':
			for (const list of childrenOf(tree, 'use_list')) {
				bringTree(list, below(walk.text(childIn(tree, 'path'))), walk);
			}

			break;
		case 'use_as_clause':
			bringPath(tree, below(walk.text(childIn(tree, 'path'))), walk, childIn(tree, 'alias'));
			break;
		case 'use_wildcard':
			walk.bring({
				node: tree,
				module: below(walk.text(tree.children[0])),
				name: '*',
				local: '',
			});
			break;
		default:
			bringPath(tree, below(walk.text(tree)), walk);
	}
};

const bringPath = (node: Syntax, path: string, walk: Walk, alias?: Syntax): void => {
	const words = path.split('::').map(word => word.trim());
	const last = words.at(-1) ?? '';
	const isSelf = last === 'self' && words.length > 1;
	const whole = isSelf ? words.slice(0, -1) : words;
	const name = whole.at(-1) ?? '';
	const local = alias === undefined ? name : walk.text(alias);
	walk.bring({
		node,
		module: whole.slice(0, -1).join('::'),
		name,
		local: local === '_' ? '' : local,
	});
};

const useCalled: Rule = (node, walk) => {
	const whole = childIn(node, 'function');
	const called = whole?.type === 'generic_function' ? childIn(whole, 'function') : whole;
	const list = childIn(node, 'arguments');
	walk.call(childIn(called, 'field', 'name') ?? called, argumentsIn(list, walk));
};

const scoped = member(['name'], ['path']);

/** Attaches attributes, which precede their item as siblings. */
const decorateChildren: Rule = (node, walk) => {
	let attributes: Syntax[] = [];
	for (const child of node.children) {
		if (child.type === 'attribute_item') {
			attributes.push(child);
		} else {
			walk.decorate(child, attributes);
			attributes = [];
		}
	}
};

export const rust: Language = {
	names: ['identifier', 'type_identifier'],
	rules: {
		call_expression: useCalled,
		closure_expression: opensFunction,
		closure_parameters: (node, walk) =>
			walk.bind(...node.children.flatMap(part => patternNames(part, walk))),
		const_item: makeNamed('variable'),
		const_parameter: bindIn('name'),
		declaration_list: decorateChildren,
		enum_item: makeNamed('enum', 'type'),
		enum_variant: makeNamed('variant'),
		field_declaration: makeNamed('field'),
		field_expression: member(['field'], ['value']),
		field_initializer: (node, walk) => walk.use(childIn(node, 'field'), '{}'),
		for_expression: bindPattern,
		function_item: makeFunction,
		function_signature_item: makeFunction,
		impl_item: insideImplementation,
		let_condition: bindPattern,
		let_declaration: bindPattern,
		lifetime: skip(),
		macro_definition: makeMacro,
		match_pattern: (node, walk) => walk.bind(...patternNames(node.children[0], walk)),
		mod_item: makeModule,
		parameter: bindPattern,
		scoped_identifier: scoped,
		scoped_type_identifier: scoped,
		source_file: decorateChildren,
		static_item: makeNamed('variable'),
		struct_item: makeNamed('class', 'type'),
		trait_item: makeNamed('interface', 'type'),
		type_item: makeNamed('type'),
		type_parameter: bindIn('name'),
		union_item: makeNamed('class', 'type'),
		use_declaration: bringUsed,
	},
};
