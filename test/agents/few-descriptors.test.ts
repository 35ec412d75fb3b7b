import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {withFewDescriptors} from '../helpers/descriptors.ts';
import {temporaryFolder} from '../helpers/repository.ts';

const program = fileURLToPath(new URL('few-descriptors.ts', import.meta.url));

test('where there are too few descriptors no agent is started, none is kept, and 1 stands in for who adopts orphans', () => {
	const came = expect.stringContaining(
		`"/bin/cat" can’t be started: this process has too many open files.`,
	);
	expect(withFewDescriptors(program, [temporaryFolder(), '5'])).toEqual({
		came,
		adopter: 1,
		kept: 0,
	});
});
