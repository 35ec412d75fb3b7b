import type {Entry} from '../../../git/tree/entry.ts';
import {defined} from '../../../lib/values.ts';
import {readTexts, type Texts} from '../../hunks.ts';
import {addedImports, type In} from '../../linking/differences.ts';
import type {Direction, Linking} from '../../linking/linking.ts';
import {
	type Ecosystem,
	ecosystemOf,
	governs,
	majorOf,
	type WantedPackage,
} from '../../linking/packages.ts';
import type {Import} from '../../source/facts.ts';
import type {Found, NameRule} from './rule.ts';

/** I5, a note: one side removed a package from a manifest or raised its major version, the other one added an import of it. */
export const gonePackage: NameRule<'IMPORT_CONFLICT'> = async (linking, direction) => {
	const changed = await changedManifests(linking, direction);
	const uses = changed.length === 0 ? [] : addedImports(direction.user);
	const suspects = uses.flatMap(use => changed.flatMap(manifest => suspectsOf(use, manifest)));
	const found: Found<'IMPORT_CONFLICT'>[] = [];
	for (const suspect of suspects) {
		if (await isInMerge(linking, suspect)) {
			found.push(asFound(direction, suspect));
		}
	}

	return found;
};

/** A manifest before and after a change by one side. */
type Manifest = {
	readonly path: string;
	readonly ecosystem: Ecosystem;
	readonly old: Entry;
	readonly new: Entry;
	readonly before: readonly WantedPackage[];
	readonly after: readonly WantedPackage[];
};

type Suspect = {
	readonly use: In<Import>;
	readonly manifest: Manifest;
	readonly was: WantedPackage;
	/** Absent if it was removed. */
	readonly is?: WantedPackage;
};

const changedManifests = async (
	{comparison}: Linking,
	{breaker}: Direction,
): Promise<readonly Manifest[]> => {
	const changes = comparison[breaker.name].changes.flatMap(change => {
		const ecosystem = ecosystemOf(change.path);
		return ecosystem === undefined || change.status !== 'M' ? [] : [{...change, ecosystem}];
	});
	const texts = await readTexts(
		comparison.store,
		changes.flatMap(change => [change.old, change.new]),
	);
	return changes.flatMap(({path, ecosystem, old, new: now}) => {
		const read = (entry: Entry) => ecosystem.read(path, texts(entry) ?? []);
		const [before, after] = [read(old), read(now)];
		return before === undefined || after === undefined
			? []
			: [{path, ecosystem, old, new: now, before, after}];
	});
};

const suspectsOf = (use: In<Import>, manifest: Manifest): readonly Suspect[] => {
	const {path, ecosystem, before, after} = manifest;
	if (!ecosystem.languages.includes(use.file.language) || !governs(path, use.file.path)) {
		return [];
	}

	return before
		.filter(({name}) => ecosystem.isFrom(use.said, name))
		.flatMap(was => {
			const is = after.find(({name}) => name === was.name);
			const [old, now] = [majorOf(was.version), majorOf(is?.version ?? '')];
			const isSame = is !== undefined && (old === now || old === '' || now === '');
			return isSame ? [] : [defined({use, manifest, was, is})];
		});
};

/** Returns whether the merge still imports it, and no manifest that governs the file provides it in another way. */
const isInMerge = async (linking: Linking, {use, manifest, is}: Suspect): Promise<boolean> => {
	const {ecosystem} = manifest;
	const {path} = use.file;
	const merged = await linking.merged(path);
	const isStill = merged?.facts.imports.some(
		({module, name}) => module === use.said.module && name === use.said.name,
	);
	if (!isStill || is !== undefined) {
		return isStill ?? false;
	}

	const all = [...(await linking.paths())].filter(([manifest]) => governs(manifest, path));
	const texts = await readTexts(
		linking.comparison.store,
		all.filter(([each]) => isConcerned(ecosystem, each)).map(([, entry]) => entry),
	);
	return !all.some(([each, entry]) => mayBring(use.said, ecosystem, {path: each, entry}, texts));
};

const isConcerned = ({manifests, unclear}: Ecosystem, path: string): boolean =>
	manifests.test(path) || (unclear?.test(path) ?? false);

const mayBring = (
	imported: Import,
	ecosystem: Ecosystem,
	{path, entry}: {readonly path: string; readonly entry: Entry},
	texts: Texts,
): boolean => {
	if (!isConcerned(ecosystem, path)) {
		return false;
	}

	const lines = texts(entry) ?? [];
	const wanted = ecosystem.manifests.test(path) ? ecosystem.read(path, lines) : undefined;
	const words = () => lines.flatMap(line => line.split(/[^\w.-]+/));
	return wanted === undefined
		? words().some(word => ecosystem.isFrom(imported, word))
		: wanted.some(({name}) => ecosystem.isFrom(imported, name));
};

const asFound = (
	{breaker, user}: Direction,
	{use, manifest, was, is}: Suspect,
): Found<'IMPORT_CONFLICT'> => {
	const {path} = use.file;
	const what =
		is === undefined
			? `took ${was.name} out of ${manifest.path}`
			: `went from ${versionText(was)} to ${versionText(is)} of ${was.name} in ${manifest.path}`;
	return {
		rule: 'I5',
		path,
		names: [was.name],
		blocking: false,
		confidence: is === undefined && !use.said.isConditional ? 'high' : 'medium',
		summary: `${path} imports ${was.name}, but the other side ${what}.`,
		evidenceLines: [
			is === undefined
				? {
						side: breaker,
						file: {path: manifest.path, oid: manifest.old.oid},
						lines: [was.line],
						removed: true,
					}
				: {
						side: breaker,
						file: {path: manifest.path, oid: manifest.new.oid},
						lines: [is.line],
					},
			{side: user, file: use.file, lines: [use.said.line]},
		],
	};
};

const versionText = ({version}: WantedPackage): string => version.replaceAll(/^["']|["',]+$/g, '');
