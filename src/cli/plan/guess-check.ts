import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {isThere} from '../../lib/files/is-there.ts';
import {readJsonObject} from '../../lib/text/json-object.ts';

/** Commands that check a project, by the file at its top that tells its kind. */
const checks = [
	['Cargo.toml', 'cargo test'],
	['go.mod', 'go test ./...'],
	['pyproject.toml', 'pytest'],
	['pytest.ini', 'pytest'],
	['pom.xml', 'mvn -q test'],
	['build.gradle', './gradlew test'],
	['Makefile', 'make test'],
] as const;

/** Returns the command that most likely checks the project at this folder, or nothing where none is known. */
export const guessCheck = async (root: string): Promise<string | undefined> => {
	if (await hasTestScript(join(root, 'package.json'))) {
		return 'npm test';
	}

	for (const [file, command] of checks) {
		if (await isThere(join(root, file))) {
			return command;
		}
	}

	return undefined;
};

const hasTestScript = async (manifest: string): Promise<boolean> => {
	const read = readJsonObject(await readFile(manifest, 'utf8').catch(() => ''));
	return typeof Object(read?.scripts).test === 'string';
};
