/**
The names in one source file: those that it defines, imports, exports and uses.

They come from the syntax alone, so they have names and places but no types.
*/
export type Facts = {
	readonly definitions: readonly SymbolDefinition[];
	readonly imports: readonly Import[];
	readonly exports: readonly Export[];
	readonly references: readonly Reference[];
	/** Names of parameters and local variables, anywhere in the file. */
	readonly locals: readonly string[];
	/** True if the parser had to skip something; then a missing name proves nothing. */
	readonly isBroken: boolean;
};

export type DefinitionKind =
	| 'function'
	| 'method'
	| 'constructor'
	| 'class'
	| 'interface'
	| 'enum'
	| 'type'
	| 'module'
	| 'variable'
	| 'field'
	| 'variant';

/** A name that the file defines, outside of functions. */
export type SymbolDefinition = {
	readonly name: string;
	readonly kind: DefinitionKind;
	/** Enclosing type or module, such as `Shape` or `geometry.Shape`; empty at the file's top level. */
	readonly scope: string;
	/** Line, counted from 1. */
	readonly line: number;
	/** Parameters of a callable definition. */
	readonly parameters?: Parameters;
	/** Head without the body, with single spaces. */
	readonly signature: string;
	/** True if its body is here; a prototype, an overload or a required method has none. */
	readonly hasBody: boolean;
	/** True if implementers of the type have to supply it. */
	readonly isRequired: boolean;
	/** True if implementers or subtypes of this type need not supply members themselves. */
	readonly isAbstract: boolean;
	/** True if it depends on a build condition or an attribute. */
	readonly isConditional: boolean;
	/** Form that distinguishes it from others of its name and scope: namespace, `get` or `set`, `static`, or the explicit interface. */
	readonly form?: string;
	/** Types that it implements or extends, as written. */
	readonly supertypes: readonly string[];
	/** Digest of its body, to find an equal one elsewhere. */
	readonly body?: {readonly digest: string; readonly words: number};
};

export type Parameters = {
	readonly min: number;
	/** `Infinity` if any number may follow. */
	readonly max: number;
	/** Positional parameters, in order. */
	readonly names: readonly string[];
	/** Keyword-only parameters; absent if calls have no keywords. */
	readonly keywords?: readonly string[];
	readonly requiredKeywords?: readonly string[];
	/** True if any keyword is accepted. */
	readonly takesAnyKeyword: boolean;
	/** Types as written, for languages with overloads. */
	readonly types: string;
};

/** An imported name; a statement makes one record for each name. */
export type Import = {
	readonly line: number;
	readonly module: string;
	/** Name in the module; `*` for all names, empty for the module itself. */
	readonly name: string;
	/** Local name; empty if there is none. */
	readonly local: string;
	readonly scope: string;
	/** True if it is in a function or under a condition. */
	readonly isConditional: boolean;
};

/** A name that others can import. */
export type Export = {
	/** `*` if all names of another module are re-exported. */
	readonly name: string;
	readonly line: number;
};

/** A use of a name. */
export type Reference = {
	readonly name: string;
	readonly line: number;
	/** Receiver of a member, as written. */
	readonly receiver?: string;
	/** Call, if it is called. */
	readonly call?: Call;
	/** Enclosing types, as for a definition. */
	readonly scope: string;
};

export type Call = {
	readonly count: number;
	readonly keywords: readonly string[];
	/** True if arguments are spread, so that their number is unknown. */
	readonly isOpen: boolean;
};
