/**
What one source file says about names: which it makes, brings in, hands on and uses.

It is read from the syntax alone, so it knows names and places but no types.
*/
export type Facts = {
	readonly definitions: readonly SymbolDefinition[];
	readonly imports: readonly Import[];
	readonly exports: readonly Export[];
	readonly references: readonly Reference[];
	/** Names of parameters and local variables, wherever in the file. */
	readonly locals: readonly string[];
	/** Whether the parser had to skip something; then what is missing proves nothing. */
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

/** A name that the file makes, outside of functions. */
export type SymbolDefinition = {
	readonly name: string;
	readonly kind: DefinitionKind;
	/** The type or module in which it stands, such as `Shape` or `geometry.Shape`; empty at the file's own level. */
	readonly scope: string;
	/** Counted from 1. */
	readonly line: number;
	/** Of what can be called. */
	readonly parameters?: Parameters;
	/** The head without its body, spaces made one. */
	readonly signature: string;
	/** Whether it has its body here; a prototype, an overload or a required method has none. */
	readonly hasBody: boolean;
	/** Whether whoever implements the type has to supply it. */
	readonly isRequired: boolean;
	/** Whether whoever implements or extends this type has nothing to supply itself. */
	readonly isAbstract: boolean;
	/** Whether a condition of the build or an attribute decides if it is there. */
	readonly isConditional: boolean;
	/** Tells it from others of its name and scope: namespace, `get` or `set`, `static`, or the explicit interface. */
	readonly form?: string;
	/** Types that it implements or extends, as written. */
	readonly supertypes: readonly string[];
	/** Its body in short, to find the same one elsewhere. */
	readonly body?: {readonly digest: string; readonly words: number};
};

export type Parameters = {
	readonly min: number;
	/** `Infinity` where any number may follow. */
	readonly max: number;
	/** Those that can be filled by position, in their order. */
	readonly names: readonly string[];
	/** Those that can be filled by name only; absent where no call names what it fills. */
	readonly keywords?: readonly string[];
	readonly requiredKeywords?: readonly string[];
	/** Whether any name is taken. */
	readonly takesAnyKeyword: boolean;
	/** The types as they are written, for languages in which several functions may share a name. */
	readonly types: string;
};

/** A name that comes from elsewhere; one record for each name of a statement. */
export type Import = {
	readonly line: number;
	readonly module: string;
	/** The name over there; `*` for all names, empty for the module itself. */
	readonly name: string;
	/** The name over here; empty where none is made. */
	readonly local: string;
	readonly scope: string;
	/** Whether it stands in a function or under a condition. */
	readonly isConditional: boolean;
};

/** A name that others can import. */
export type Export = {
	/** `*` where all names of another module are handed on. */
	readonly name: string;
	readonly line: number;
};

/** A place where a name is used. */
export type Reference = {
	readonly name: string;
	readonly line: number;
	/** Where it is a member of something: that, as it is written. */
	readonly receiver?: string;
	/** Where it is called. */
	readonly call?: Call;
	/** The types around it, as of a definition. */
	readonly scope: string;
};

export type Call = {
	readonly count: number;
	readonly keywords: readonly string[];
	/** Whether arguments are spread, so that nobody can count them. */
	readonly isOpen: boolean;
};
