import {posix} from 'node:path';

/** Returns whether a file holds tests, as its name or a folder of it says. */
export const isTestFile = (path: string): boolean =>
	!isGolden(path) &&
	(/(?:^|\/)(?:tests?|specs?|__tests__)\//.test(path) ||
		/(?:^|[._-])(?:test|spec)s?\.\w+$|(?:^|\/)test_\w+\.py$|Tests?\.(?:java|kt|cs|php)$/.test(
			path,
		));

/** Returns whether a file is what a test compares an output with: a snapshot, a golden file, an expectation. */
export const isGolden = (path: string): boolean =>
	/(?:^|\/)(?:__snapshots__|golden|goldens|testdata)\//.test(path) ||
	/\.(?:snap|golden|approved)(?:\.\w+)?$|(?:^|[._-])expected\.\w+$/.test(path);

/** Returns the test that wrote a snapshot, where its name tells. */
export const testOfSnapshot = (path: string): string | undefined => {
	const test = /^(?<folder>.*?)__snapshots__\/(?<name>.+)\.snap$/.exec(path)?.groups;
	return test && `${test.folder}${test.name}`;
};

/** Returns what a golden file, a test and the source that both are about have in common in their names. */
export const stemOf = (path: string): string =>
	posix
		.basename(path)
		.replace(/(?:\.(?:snap|golden|approved))?(?:\.\w+)?$/, '')
		.replace(/[._-](?:tests?|specs?|expected|snap|golden|approved)(?:\.\w+)?$/, '')
		.replace(/^test_/, '')
		.toLowerCase();
