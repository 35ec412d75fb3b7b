import type {Definition} from '../definition.ts';
import {undecorated} from './decoration.ts';
import {type Labelled, withoutTrailingEmphasis} from './markers.ts';
import {type Line, type Open, outcomeOf, unfinished} from './open.ts';

type LineDefinition = Definition & {readonly form: {readonly type: 'line' | 'word'}};

/** A line signal or a word, and the labelled lines directly below it, each label once; empty lines between them don't matter. */
export const openLine = (definition: LineDefinition, {value}: Labelled, opener: Line): Open => {
	const {form} = definition;
	const followers = form.type === 'line' ? form.followers : NONE;
	const text = [value];
	const raw = [opener.text];
	const labels = new Set<string>();
	let isCut = opener.cut;

	return {
		take: line => {
			const words = undecorated(line.text);
			if (words === '' && labels.size < followers.size) {
				return 'more';
			}

			const follower = followerOf(words);
			if (follower === undefined || !followers.has(follower.label) || labels.has(follower.label)) {
				return 'before';
			}

			labels.add(follower.label);
			text.push(`${follower.label}: ${follower.value}`);
			raw.push(line.text);
			isCut ||= line.cut;
			return labels.size === followers.size ? {last: ''} : 'more';
		},
		settle: () => {
			const all = raw.join('\n');
			return isCut
				? unfinished(definition, opener.number, `${definition.marker} is longer than 64 KiB.`, all)
				: outcomeOf(definition, {line: opener.number, text: text.join('\n'), raw: all});
		},
	};
};

const NONE: ReadonlySet<string> = new Set();

/** A follower's label is spelled as defined, which need not be in capitals. */
const followerOf = (words: string): Labelled | undefined => {
	const [, label, value = ''] =
		/^[*_]{0,3}([A-Za-z]{1,40})[*_]{0,3}:[*_]{0,3}(.*)$/.exec(words) ?? [];
	return label === undefined ? undefined : {label, value: withoutTrailingEmphasis(value).trim()};
};
