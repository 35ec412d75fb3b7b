import {indentation} from '../../lines/section.ts';

/** A test as its file names it. */
export type TestTitle = {
	readonly title: string;
	/** Counted from 1. */
	readonly line: number;
	/** Whether it is named by a text, so that two may have one name and nothing but a reader minds. */
	readonly isText: boolean;
};

/** Returns the tests that a text begins, in their order; it knows how tests begin in the usual languages, and no syntax. */
export const titlesIn = (lines: readonly string[]): readonly TestTitle[] =>
	lines.flatMap((text, index) => {
		const title = titleOf(lines, index);
		return title === undefined
			? []
			: [{title, line: index + 1, isText: byText.some(form => form.test(text))}];
	});

/** Returns the test that a line belongs to: the nearest one above that is less indented, or that the line begins itself. */
export const testAt = (lines: readonly string[], line: number): string | undefined => {
	const own = lines[line - 1] ?? '';
	const ownTitle = titleOf(lines, line - 1);
	if (ownTitle !== undefined) {
		return ownTitle;
	}

	let limit = indentation(own);
	for (let index = line - 2; index >= 0; index--) {
		const text = lines[index] ?? '';
		if (!/\w/.test(text) || indentation(text) >= limit) {
			continue;
		}

		limit = indentation(text);
		const title = titleOf(lines, index);
		if (title !== undefined || limit === 0) {
			return title;
		}
	}

	return undefined;
};

/** JavaScript, TypeScript and Ruby. */
const byText: readonly RegExp[] = [
	/^\s*(?:test|it)(?:\.\w+)*\s*\(\s*(['"`])(?<title>.+?)\1/,
	/^\s*(?:test|it|specify)\s+(['"])(?<title>.+?)\1/,
];

/** Python, Go, Ruby, PHP, C and C++. */
const byName: readonly RegExp[] = [
	/^\s*(?:async )?def (?<title>test\w*)/,
	/^func (?<title>(?:Test|Benchmark|Fuzz)\w+)\(/,
	/^\s*(?:public )?function (?<title>test\w*)/,
	/^\s*TEST(?:_F|_P)?\((?<title>\w+,\s*\w+)\)/,
];

/** Rust, Java, C# and PHP say on a line above that what follows is a test. */
const mark =
	/^\s*(?:#\[(?:\w+::)?test\b|@Test\b|@ParameterizedTest\b|\[(?:Fact|Theory|Test|TestMethod)\b|#\[Test\])/;
const marked = /^[^()]*?(?<title>\w+)\s*\(/;

const titleOf = (lines: readonly string[], index: number): string | undefined => {
	const text = lines[index] ?? '';
	const form = [...byText, ...byName].find(each => each.test(text));
	if (form !== undefined) {
		return form.exec(text)?.groups?.title;
	}

	return mark.test(lines[index - 1] ?? '') ? marked.exec(text)?.groups?.title : undefined;
};
