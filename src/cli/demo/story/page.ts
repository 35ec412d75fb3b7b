import type {Store} from '../../../git/store/store.ts';
import type {SessionFolder} from '../../../supervisor/folder.ts';
import type {Here} from '../../here.ts';
import {print} from '../../output.ts';

/** A piece of the story. */
export type StoryPassage = {
	/** Heading that it stands under; a passage without one goes on under the last. */
	readonly chapter?: string;
	readonly lines: readonly string[];
};

/** The text that goes by. */
type Page = {
	/** Prints a passage, below its heading when that has not been printed yet; returns whether it had not. */
	readonly show: (passage: StoryPassage) => boolean;
	/** Leaves a blank line before whatever comes next. */
	readonly space: () => void;
};

const width = 78;

/** Starts a page; chapters are numbered as they come up. */
export const createPage = (): Page => {
	const chapters = new Set<string>();
	let spaced = false;
	return {
		show: ({chapter, lines}) => {
			const isNew = chapter !== undefined && !chapters.has(chapter);
			if (spaced || isNew) {
				print('');
				spaced = false;
			}

			if (isNew) {
				chapters.add(chapter);
				print(`── ${chapters.size}. ${chapter} `.padEnd(width, '─'));
			}

			lines.forEach(print);
			return isNew;
		},
		space: () => {
			spaced = true;
		},
	};
};

/** Breaks a text into lines that fit the page below an indentation. */
export const wrap = (text: string, indentation: string): readonly string[] => {
	const lines: string[] = [];
	for (const word of text.split(' ')) {
		const line = lines.at(-1);
		if (line !== undefined && line.length + 1 + word.length <= width) {
			lines.push(`${lines.pop()} ${word}`);
		} else {
			lines.push(indentation + word);
		}
	}

	return lines;
};

/** Sets a text apart as a quotation. */
export const quotedText = (text: string): readonly string[] =>
	text
		.trimEnd()
		.split('\n')
		.map(line => `    │ ${line}`.trimEnd());

/** Where the story's evidence lies: journal, prompts, patches, logs, objects. */
export type Stage = {
	readonly here: Here;
	readonly session: SessionFolder;
	readonly store: Store;
};
