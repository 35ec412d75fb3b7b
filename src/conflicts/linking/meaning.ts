import {posix} from 'node:path';
import type {Import, Reference, SymbolDefinition} from '../source/facts.ts';
import {familyOf, traitsOf} from '../source/languages.ts';
import type {In} from './differences.ts';
import type {SourceFile} from './sources.ts';
import {inWorkspace, pathsOfModule} from './workspace.ts';

/** Whether a reference means a definition: by the language's rules, perhaps by its name, or not. */
export type UseMeaning = 'surely' | 'perhaps' | 'no';

/** Returns the name under which a definition is used: for a constructor its type's. */
export const calledName = ({kind, scope, name}: SymbolDefinition): string =>
	kind === 'constructor' ? (scope.split('.').at(-1) ?? '') : name;

const scopeOf = ({kind, scope}: SymbolDefinition): string =>
	kind === 'constructor' ? scope.split('.').slice(0, -1).join('.') : scope;

/** Returns whether a reference in a file means a definition in the same or another one. */
export const meaningOfUse = (
	{file, said: reference}: In<Reference>,
	{file: home, said: definition}: In<SymbolDefinition>,
): UseMeaning => {
	if (familyOf(file.language) !== familyOf(home.language)) {
		return 'no';
	}

	const local = localName(file, home, calledName(definition));
	const isFree = scopeOf(definition) === '' || isInModule(definition, home);
	if (isFree && reference.receiver === undefined) {
		return freeMeaning(reference, local, {file, home, definition});
	}

	if (reference.name !== calledName(definition) || reference.receiver === undefined) {
		return isFree || reference.name !== definition.name
			? 'no'
			: implicitMeaning(reference, {file, home, definition});
	}

	return isFree
		? throughModule(reference.receiver, file, home)
		: memberMeaning(reference, {file, home, definition});
};

type Case = {
	readonly file: SourceFile;
	readonly home: SourceFile;
	readonly definition: SymbolDefinition;
};

/** Returns whether a definition is in a module inside a file, which is a scope, but has no instances. */
const isInModule = ({scope}: SymbolDefinition, {facts, language}: SourceFile): boolean =>
	!traitsOf(language).modulesAreTypes &&
	facts.definitions.some(({kind, name}) => kind === 'module' && name === scope);

/** Returns the local alias of a definition in a file that imports it. */
const localName = (file: SourceFile, home: SourceFile, name: string): string =>
	file.facts.imports.find(
		each => each.name === name && each.local !== '' && leadsTo(file, each, home) === 'surely',
	)?.local ?? name;

const freeMeaning = (reference: Reference, local: string, {file, home}: Case): UseMeaning => {
	if (reference.name !== local || file.facts.locals.includes(local)) {
		return 'no';
	}

	if (file.path === home.path) {
		return 'surely';
	}

	const own = file.facts.definitions.some(({name}) => name === local);
	const brought = file.facts.imports.filter(each => each.local === local);
	if (brought.length > 0) {
		return brought.map(each => leadsTo(file, each, home)).includes('surely')
			? 'surely'
			: brought.some(each => leadsTo(file, each, home) === 'perhaps')
				? 'perhaps'
				: 'no';
	}

	if (own) {
		return 'no';
	}

	if (traitsOf(file.language).folderIsPackage) {
		return posix.dirname(file.path) === posix.dirname(home.path) ? 'surely' : 'no';
	}

	if (traitsOf(file.language).imports !== 'each') {
		return 'perhaps';
	}

	return file.facts.imports.some(each => each.name === '*') ? 'perhaps' : 'no';
};

/** Returns whether an import leads to a file; one that is not relative may lead through a package. */
const leadsTo = (file: SourceFile, imported: Import, home: SourceFile): UseMeaning => {
	if (pathsOfModule(file, imported).includes(home.path)) {
		return 'surely';
	}

	const around = inWorkspace(file, imported)?.folder;
	if (traitsOf(file.language).folderIsPackage) {
		const folder = posix.dirname(home.path);
		return folder === around || `/${imported.module}`.endsWith(`/${folder}`) ? 'surely' : 'no';
	}

	// A package may re-export its own imports.
	const isInPackage = around !== undefined && home.path.startsWith(`${around}/`);
	const isOwn = /^(?:\.|crate\b|super\b|self\b)/.test(imported.module);
	const [root = ''] = imported.module.split(/[./:]/);
	return isInPackage || isOwn || (root !== '' && home.path.split('/').includes(root))
		? 'perhaps'
		: 'no';
};

/** Resolves `geometry.area()`, with `geometry` imported. */
const throughModule = (receiver: string, file: SourceFile, home: SourceFile): UseMeaning => {
	const [first = '', ...more] = receiver.split(/::|\./);
	const brought = file.facts.imports.filter(each => each.local === first);
	if (brought.length === 0 || file.facts.locals.includes(first)) {
		return file.language === 'rust' && ['crate', 'super', 'self'].includes(first)
			? 'perhaps'
			: 'no';
	}

	const whole = brought.map(each => leadsTo(file, withPath(each, more), home));
	return whole.includes('surely') ? 'surely' : whole.includes('perhaps') ? 'perhaps' : 'no';
};

const withPath = (imported: Import, more: readonly string[]): Import => {
	const isDotted = imported.name === '' && more.length > 0;
	const [first = ''] = imported.module.split('.');
	return isDotted ? {...imported, module: [first, ...more].join('.')} : imported;
};

const own = [
	'this',
	'self',
	'Self',
	'$this',
	'super',
	'super()',
	'cls',
	'static',
	'parent',
	'base',
];

const memberMeaning = (reference: Reference, {file, home, definition}: Case): UseMeaning => {
	const receiver = (reference.receiver ?? '').replace(/::$/, '');
	const [type = ''] = definition.scope.split(' as ').map(scope => scope.split('.').at(-1));
	if (own.includes(receiver)) {
		return reference.scope.split(' as ')[0] === type
			? 'surely'
			: extendsType(file, reference.scope, type)
				? 'perhaps'
				: 'no';
	}

	const last =
		receiver
			.replace(/\(.*\)$/, '')
			.split(/[.:>?!]+/)
			.at(-1) ?? '';
	if (last.replaceAll(/\W/g, '') === type) {
		return 'surely';
	}

	// A capital before `::` or `.` means another type or module.
	if (
		/::|^[A-Z]\w*$/.test(reference.receiver ?? '') ||
		file.facts.imports.some(each => each.local === receiver)
	) {
		return 'no';
	}

	const plain = (name: string) => name.replaceAll(/[\W_]/g, '').toLowerCase();
	return plain(last) !== '' && plain(last) === plain(type) && namesType(file, home, type)
		? 'surely'
		: namesType(file, home, type)
			? 'perhaps'
			: 'no';
};

const namesType = (file: SourceFile, home: SourceFile, type: string): boolean =>
	file.path === home.path ||
	file.facts.references.some(({name}) => name === type) ||
	file.facts.imports.some(({name}) => name === type);

const extendsType = (file: SourceFile, scope: string, type: string): boolean =>
	file.facts.definitions.some(
		({name, supertypes}) => name === scope && supertypes.some(each => each.endsWith(type)),
	);

/** Resolves a method call without a receiver: it is of the same type, in languages that allow it. */
const implicitMeaning = (reference: Reference, {file, definition}: Case): UseMeaning =>
	traitsOf(file.language).impliesReceiver === true &&
	reference.receiver === undefined &&
	reference.scope === definition.scope &&
	!file.facts.locals.includes(reference.name)
		? 'surely'
		: 'no';
