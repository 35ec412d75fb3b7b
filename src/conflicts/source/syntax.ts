import type {Tree, TreeCursor} from 'web-tree-sitter';

/** A node of a syntax tree, copied out of WebAssembly memory, where each access is slow. */
export type Syntax = {
	readonly type: string;
	/** The grammar's name for its place in the parent, such as `name`. */
	readonly field: string | null;
	readonly start: number;
	readonly end: number;
	readonly children: readonly Syntax[];
};

type Growing = Syntax & {readonly children: Growing[]};

/** Copies a tree without comments and punctuation; keywords, `?`, `*`, `=` and `...` stay. */
export const copySyntax = (tree: Tree): Syntax => {
	const cursor = tree.walk();
	try {
		return copyBelow(cursor);
	} finally {
		cursor.delete();
	}
};

/** Copies the nodes in a loop instead of a recursion: generated code is nested deeper than the stack. */
const copyBelow = (cursor: TreeCursor): Syntax => {
	const root = nodeAt(cursor);
	const parents = [root];
	if (!cursor.gotoFirstChild()) {
		return root;
	}

	for (;;) {
		if (isWanted(cursor)) {
			const node = nodeAt(cursor);
			parents.at(-1)?.children.push(node);
			if (cursor.gotoFirstChild()) {
				parents.push(node);
				continue;
			}
		}

		while (!cursor.gotoNextSibling()) {
			cursor.gotoParent();
			parents.pop();
			if (parents.length === 0) {
				return root;
			}
		}
	}
};

const isWanted = (cursor: TreeCursor): boolean =>
	cursor.nodeIsNamed
		? !cursor.nodeType.endsWith('comment')
		: /^(?:[a-z_]+|\?|\*|\.\.\.|=)$/.test(cursor.nodeType);

const nodeAt = (cursor: TreeCursor): Growing => ({
	type: cursor.nodeType,
	field: cursor.currentFieldName,
	start: cursor.startIndex,
	end: cursor.endIndex,
	children: [],
});

/** Returns the first child in the first of these fields that has one. */
export const childIn = (
	node: Syntax | undefined,
	...fields: readonly string[]
): Syntax | undefined => {
	for (const field of fields) {
		const found = node?.children.find(child => child.field === field);
		if (found !== undefined) {
			return found;
		}
	}

	return undefined;
};

/** Returns all children in a field. */
export const childrenIn = (node: Syntax | undefined, field: string): readonly Syntax[] =>
	node?.children.filter(child => child.field === field) ?? [];

/** Returns the first child of one of these types. */
export const childOf = (
	node: Syntax | undefined,
	...types: readonly string[]
): Syntax | undefined => node?.children.find(child => types.includes(child.type));

/** Returns all children of one of these types. */
export const childrenOf = (
	node: Syntax | undefined,
	...types: readonly string[]
): readonly Syntax[] => node?.children.filter(child => types.includes(child.type)) ?? [];

/** Returns whether a node has a child of one of these types, such as a keyword. */
export const has = (node: Syntax | undefined, ...types: readonly string[]): boolean =>
	childOf(node, ...types) !== undefined;

/** Returns the topmost nodes of these types at or below a node. */
export const allOf = (node: Syntax | undefined, types: readonly string[]): readonly Syntax[] => {
	if (node === undefined) {
		return [];
	}

	return types.includes(node.type) ? [node] : node.children.flatMap(child => allOf(child, types));
};
