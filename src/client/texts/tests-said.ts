import type {Signal} from '../../signals/index.ts';

/** Returns in words what an agent says of its tests; nothing where it says nothing of them. */
export const testsSaid = (
	tests: Extract<Signal, {kind: 'checkpoint'}>['tests'] | null,
): string | undefined => {
	if (!tests) {
		return undefined;
	}

	const failed = tests.failed.length === 0 ? '' : `, failed: ${tests.failed.join(', ')}`;
	return `${tests.executed ? 'run' : 'not run'}${tests.result === undefined ? '' : `, ${tests.result}`}${failed}`;
};
