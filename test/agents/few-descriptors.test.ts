import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {withFewDescriptors} from '../helpers/descriptors.ts';
import {temporaryFolder} from '../helpers/repository.ts';

const program = fileURLToPath(new URL('few-descriptors.ts', import.meta.url));

test.each(['2', '21'])('with %s descriptors no agent is started, and none is kept', left => {
	const came = expect.stringContaining(
		`"/bin/cat" can't be started: this process has too many open files.`,
	);
	expect(withFewDescriptors(program, [temporaryFolder(), left])).toEqual({came, kept: 0});
});

test('an agent is started where its worktree can be looked at besides', () => {
	const found = withFewDescriptors(program, [temporaryFolder(), '24']);
	expect(found).toMatchObject({came: 'started'});
});
