import type {Parameters} from '../facts.ts';
import {allOf, childIn, childOf, childrenOf, type Syntax} from '../syntax.ts';
import {type Language, positional, type Rule, type Walk} from '../walk.ts';

const patternNames = (pattern: Syntax | undefined, walk: Walk): readonly Syntax[] => {
	if (pattern?.type === 'identifier') {
		// What begins with a capital is a constant or a variant to match with.
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
	const read = childrenOf(list, 'parameter').map(part => ({
		name: walk.text(childIn(part, 'pattern')),
		isOptional: false,
		isRest: false,
	}));
	return positional(read, walk.text(list));
};

const bindParameters = (node: Syntax, walk: Walk): void => {
	for (const part of childIn(node, 'parameters')?.children ?? []) {
		walk.bind(...patternNames(childIn(part, 'pattern') ?? part, walk));
	}
};

const insideFunction: Rule = (node, walk) => {
	bindParameters(node, walk);
	return {kind: 'function'};
};

const hasAttribute = (node: Syntax, walk: Walk): boolean =>
	walk.decoratorsOf(node).some(text => /\bcfg|macro_export/.test(text));

const makeFunction: Rule = (node, walk) => {
	const self = childOf(childIn(node, 'parameters'), 'self_parameter');
	walk.define(childIn(node, 'name'), {
		kind: self !== undefined ? 'method' : 'function',
		node,
		parameters: parametersOf(node, walk),
		isRequired: node.type === 'function_signature_item',
		isConditional: walk.isConditional || hasAttribute(node, walk),
	});
	return insideFunction(node, walk);
};

const makeNamed =
	(kind: 'class' | 'interface' | 'enum' | 'type' | 'variable' | 'field' | 'variant'): Rule =>
	(node, walk) => {
		const name = childIn(node, 'name');
		// There may be any number of constants without a name.
		const isConditional = walk.isConditional || hasAttribute(node, walk) || walk.text(name) === '_';
		walk.define(name, {kind, node, isConditional, hasBody: true});
		return ['class', 'interface', 'enum'].includes(kind)
			? {kind: 'type', name: walk.text(name)}
			: undefined;
	};

const makeModule: Rule = (node, walk) => {
	const name = childIn(node, 'name');
	const isConditional = walk.isConditional || hasAttribute(node, walk);
	walk.define(name, {kind: 'module', node, isConditional});
	return {kind: 'type', name: walk.text(name)};
};

const makeMacro: Rule = (node, walk) => {
	walk.define(childIn(node, 'name'), {kind: 'function', node, isConditional: true});
	walk.skip(...node.children);
};

const insideImplementation: Rule = (node, walk) => {
	const type = childIn(node, 'type');
	const [name] = allOf(type, ['type_identifier']);
	const trait = childIn(node, 'trait');
	if (trait !== undefined) {
		const own = childIn(trait, 'name') ?? childIn(trait, 'type') ?? trait;
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

const useScoped: Rule = (node, walk) =>
	walk.use(childIn(node, 'name'), walk.text(childIn(node, 'path')));

const useField: Rule = (node, walk) =>
	walk.use(childIn(node, 'field'), walk.text(childIn(node, 'value')));

const useCalled: Rule = (node, walk) => {
	const whole = childIn(node, 'function');
	const called = whole?.type === 'generic_function' ? childIn(whole, 'function') : whole;
	if (called !== undefined) {
		walk.call(childIn(called, 'field') ?? childIn(called, 'name') ?? called, {
			count: (childIn(node, 'arguments')?.children ?? []).filter(
				({type}) => type !== 'attribute_item',
			).length,
			keywords: [],
			isOpen: false,
		});
	}
};

const bindPattern: Rule = (node, walk) =>
	walk.bind(...patternNames(childIn(node, 'pattern'), walk));

const bindArm: Rule = (node, walk) => walk.bind(...patternNames(node.children[0], walk));

/** Attributes stand beside what they are about. */
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
		closure_expression: insideFunction,
		const_item: makeNamed('variable'),
		const_parameter: (node, walk) => walk.bind(childIn(node, 'name')),
		declaration_list: decorateChildren,
		enum_item: makeNamed('enum'),
		enum_variant: makeNamed('variant'),
		field_declaration: makeNamed('field'),
		field_expression: useField,
		field_initializer: (node, walk) => walk.use(childIn(node, 'field'), '{}'),
		for_expression: bindPattern,
		function_item: makeFunction,
		function_signature_item: makeFunction,
		impl_item: insideImplementation,
		let_condition: bindPattern,
		let_declaration: bindPattern,
		macro_definition: makeMacro,
		match_pattern: bindArm,
		mod_item: makeModule,
		scoped_identifier: useScoped,
		scoped_type_identifier: useScoped,
		source_file: decorateChildren,
		static_item: makeNamed('variable'),
		struct_item: makeNamed('class'),
		trait_item: makeNamed('interface'),
		type_item: makeNamed('type'),
		type_parameter: (node, walk) => walk.bind(childIn(node, 'name')),
		union_item: makeNamed('class'),
		use_declaration: bringUsed,
	},
};
