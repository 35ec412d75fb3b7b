import type {Definition, Form} from '../definition.ts';
import {undecorated, unemphasized} from './decoration.ts';
import {bracketMarkerOf, labelOf, withoutTrailingEmphasis} from './markers.ts';
import type {Line, Open} from './open.ts';
import {openBanner} from './open-banner.ts';
import {openBlock, opensBlock} from './open-block.ts';
import {openLine} from './open-line.ts';
import {openObject} from './open-object.ts';
import {opensTable, openTable} from './open-table.ts';

/** What a line began. `left` is what it must be handed first; `whole`, that no further line belongs to it. */
export type Opened = {readonly open: Open; readonly left?: Line; readonly whole?: true};

/** Says what a line begins, if anything; `text` is the line without decoration, and not empty. */
export type Opening = (
	line: Line,
	text: string,
	ruleAbove: string | undefined,
) => Opened | undefined;

type DefinitionOf<Type extends Form['type']> = Definition & {
	readonly form: Form & {readonly type: Type};
};

/** Creates the one place that knows which first line belongs to which of these signals. */
export const createOpening = (definitions: readonly Definition[]): Opening => {
	const blocks = definitions.filter(isA('block'));
	const banners = definitions.filter(isA('banner'));
	const objects = definitions.filter(isA('object'));
	const tables = definitions.filter(isA('table'));
	const lines = new Map(
		[...definitions.filter(isA('line')), ...definitions.filter(isA('word'))].map(definition => [
			definition.marker,
			definition,
		]),
	);
	const blockMarkers = new Set(blocks.map(({marker}) => marker));
	const isBlockMarker = (name: string): boolean => blockMarkers.has(name);

	const blockAt = (line: string) => {
		const marker = bracketMarkerOf(line);
		const definition = blocks.find(each => each.marker === marker?.name);
		return marker?.type === 'open' && definition !== undefined && opensBlock(definition, marker)
			? {definition, rest: marker.rest}
			: undefined;
	};

	const bannerAt = (line: string) => {
		const text = withoutRules(unemphasized(undecorated(line)).text);
		const definition = banners.find(({marker}) => text.startsWith(`${marker}:`));
		return definition === undefined
			? undefined
			: {
					definition,
					title: withoutTrailingEmphasis(text.slice(definition.marker.length + 1)).trim(),
				};
	};

	const opensSignal = (line: string): boolean =>
		blockAt(line) !== undefined || bannerAt(line) !== undefined;

	const openMarked = (line: Line, ruleAbove: string | undefined): Opened | undefined => {
		const block = blockAt(line.text);
		if (block !== undefined) {
			const {definition, rest} = block;
			const open = openBlock(definition, line, rest, opensSignal, isBlockMarker);
			return rest === '' ? {open} : {open, left: {...line, text: rest}};
		}

		const banner = bannerAt(line.text);
		return (
			banner && {open: openBanner(banner.definition, {...banner, line, ruleAbove}, opensSignal)}
		);
	};

	const openLabelled = (line: Line, text: string): Opened | undefined => {
		const word = withoutTrailingEmphasis(unemphasized(text).text);
		const labelled =
			lines.get(word)?.form.type === 'word' ? {label: word, value: ''} : labelOf(text);
		const definition = labelled && lines.get(labelled.label);
		if (labelled === undefined || definition === undefined) {
			return undefined;
		}

		const open = openLine(definition, labelled, line);
		return hasFollowers(definition) ? {open} : {open, whole: true};
	};

	const openBraced = (line: Line, text: string): Opened | undefined => {
		const [definition] = objects;
		return definition && {open: openObject(definition, line, opensSignal), left: {...line, text}};
	};

	const openTabled = (line: Line, text: string): Opened | undefined => {
		const definition = tables.find(each => opensTable(each, text));
		return definition && {open: openTable(definition, line)};
	};

	return (line, text, ruleAbove) => {
		if (text.startsWith('{')) {
			return openBraced(line, text);
		}

		if (text.startsWith('|')) {
			return openTabled(line, text);
		}

		return openLabelled(line, text) ?? openMarked(line, ruleAbove);
	};
};

const isA =
	<Type extends Form['type']>(type: Type) =>
	(definition: Definition): definition is DefinitionOf<Type> =>
		definition.form.type === type;

/** A title may stand in its rule: `═══ AGENT CHECKPOINT: AGT-001 ═══`. */
const withoutRules = (title: string): string =>
	title.replace(/^[═=─━—-]{3,80}\s+/, '').replace(/\s[═=─━—-]{3,80}$/, '');

const hasFollowers = ({form}: Definition): boolean =>
	form.type === 'line' && form.followers.size > 0;
