import type {DefinitionKind} from './facts.ts';
import {childIn, type Syntax} from './syntax.ts';
import type {Rule} from './walk.ts';

/** Names of a namespace may be used without it, so they count as the file's own. */
export const insideNamespace: Rule = (node, walk) => {
	const name = childIn(node, 'name');
	walk.skip(name);
	return {kind: 'namespace', name: walk.text(name)};
};

/** Returns what a declaration of a type makes, in grammars that call it so. */
export const typeKind = ({type}: Syntax): DefinitionKind =>
	type === 'enum_declaration' ? 'enum' : type === 'interface_declaration' ? 'interface' : 'class';
