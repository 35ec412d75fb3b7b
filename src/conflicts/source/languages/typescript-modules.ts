import {allOf, childIn, childOf, childrenOf, has, type Syntax} from '../syntax.ts';
import type {Rule, Walk} from '../walk.ts';

/** Reads an `import`. */
export const bringImported: Rule = (node, walk) => {
	const module = unquoted(walk.text(childIn(node, 'source')));
	const clause = childOf(node, 'import_clause');
	const bring = (at: Syntax, name: string, local: string) =>
		walk.bring({node: at, module, name, local});
	if (clause === undefined) {
		bring(node, '', '');
	}

	for (const part of clause?.children ?? []) {
		if (part.type === 'identifier') {
			bring(part, 'default', walk.text(part));
		} else if (part.type === 'namespace_import') {
			bring(part, '', walk.text(childOf(part, 'identifier')));
		}
	}

	for (const part of allOf(clause, ['import_specifier'])) {
		const name = walk.text(childIn(part, 'name'));
		bring(part, name, walk.text(childIn(part, 'alias')) || name);
	}

	walk.skip(...node.children);
};

/** Reads an `export`, including its imports. */
export const handOnExported: Rule = (node, walk) => {
	const source = childIn(node, 'source');
	const module = source === undefined ? undefined : unquoted(walk.text(source));
	const clause = childOf(node, 'export_clause');
	for (const part of childrenOf(clause, 'export_specifier')) {
		const name = childIn(part, 'name');
		const outside = walk.text(childIn(part, 'alias') ?? name);
		walk.handOn(part, outside);
		walk.skip(childIn(part, 'alias'));
		if (module !== undefined) {
			walk.bring({node: part, module, name: walk.text(name), local: ''});
			walk.skip(name);
		}
	}

	const whole = childOf(node, 'namespace_export');
	if (whole !== undefined) {
		walk.handOn(whole, walk.text(childOf(whole, 'identifier')));
		walk.skip(whole);
	} else if (module !== undefined && clause === undefined) {
		walk.handOn(node, '*');
	}

	if (module !== undefined && clause === undefined) {
		walk.bring({node, module, name: '*', local: ''});
	}

	handOnDeclared(node, walk);
};

const handOnDeclared = (node: Syntax, walk: Walk): void => {
	if (has(node, 'default')) {
		walk.handOn(node, 'default');
		return;
	}

	// `export = name` doesn't list its names.
	if (has(node, '=')) {
		walk.handOn(node, '*');
	}

	const declaration = childIn(node, 'declaration');
	const names = [childIn(declaration, 'name')];
	const made = childrenOf(declaration, 'variable_declarator').flatMap(each =>
		patternNames(childIn(each, 'name')),
	);
	for (const name of [...names, ...made]) {
		if (name !== undefined) {
			walk.handOn(name, walk.text(name));
		}
	}
};

/** Records the imports of a `require` or `import` call, and returns whether the declaration has one. */
export const bringRequired = (declarator: Syntax, walk: Walk): boolean => {
	const value = childIn(declarator, 'value');
	const part = value?.type === 'member_expression' ? childIn(value, 'property') : undefined;
	const from = requiredBy(part ? childIn(value, 'object') : value, walk);
	const name = childIn(declarator, 'name');
	if (from === undefined || (part && name?.type !== 'identifier')) {
		return false;
	}

	if (name?.type === 'identifier') {
		walk.bring({node: declarator, module: from, name: walk.text(part), local: walk.text(name)});
	}

	for (const part of childrenOf(name, 'shorthand_property_identifier_pattern', 'pair_pattern')) {
		const own = walk.text(childIn(part, 'key') ?? part);
		const local = walk.text(childIn(part, 'value') ?? part);
		walk.bring({node: part, module: from, name: own, local});
	}

	walk.skip(name, value);
	return true;
};

/** Returns the module that a call requires, if it does. */
export const requiredBy = (call: Syntax | undefined, walk: Walk): string | undefined => {
	const module = childOf(childIn(call, 'arguments'), 'string');
	const isRequire =
		call?.type === 'call_expression' && walk.text(childIn(call, 'function')) === 'require';
	return isRequire && module ? unquoted(walk.text(module)) : undefined;
};

const unquoted = (text: string): string => text.slice(1, -1);

/** Returns the names that a pattern binds, at any depth. */
export const patternNames = (pattern: Syntax | undefined): readonly Syntax[] => {
	switch (pattern?.type) {
		case undefined:
			return [];
		case 'identifier':
		case 'shorthand_property_identifier_pattern':
			return [pattern];
		case 'object_assignment_pattern':
		case 'assignment_pattern':
			return patternNames(childIn(pattern, 'left'));
		case 'pair_pattern':
			return patternNames(childIn(pattern, 'value'));
		case 'object_pattern':
		case 'array_pattern':
		case 'rest_pattern':
			return pattern.children.flatMap(patternNames);
		default:
			return [];
	}
};
