import {
	chmodSync,
	chownSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir, userInfo} from 'node:os';
import {dirname, join} from 'node:path';
import {beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import {agentSocketPath, socketPath} from '../../src/control/path.ts';

const temporaryFolder = (): string => {
	const folder = mkdtempSync(join(tmpdir(), 'dtui-'));
	onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
	return folder;
};

beforeEach(() => () => {
	vi.unstubAllEnvs();
});

test('a socket lies in a private folder of the runtime folder', () => {
	const runtime = temporaryFolder();
	vi.stubEnv('XDG_RUNTIME_DIR', runtime);
	const path = socketPath('repository');
	expect(path).toMatch(new RegExp(`^${runtime}/delegate-tui/[0-9a-f]{12}\\.sock$`));
	expect(statSync(join(runtime, 'delegate-tui')).mode & 0o777).toBe(0o700);
	expect(socketPath('repository')).toBe(path);
	expect(socketPath('other')).not.toBe(path);
});

test.each([undefined, '', 'relative', '/nowhere/at/all'])(
	'without a runtime folder (%s) it lies in the temporary folder',
	runtime => {
		const temporary = temporaryFolder();
		vi.stubEnv('XDG_RUNTIME_DIR', runtime);
		vi.stubEnv('TMPDIR', temporary);
		const folder = join(temporary, `delegate-tui-${userInfo().uid}`);
		expect(socketPath('repository').startsWith(`${folder}/`)).toBe(true);
		expect(statSync(folder).mode & 0o777).toBe(0o700);
	},
);

test('a path that no socket can have is refused', () => {
	const runtime = join(temporaryFolder(), 'x'.repeat(80));
	mkdirSync(runtime);
	vi.stubEnv('XDG_RUNTIME_DIR', runtime);
	expect(() => socketPath('repository')).toThrow('too long');
});

test.each([
	[
		'others can enter',
		(folder: string) => {
			mkdirSync(folder);
			chmodSync(folder, 0o750);
		},
		'can be entered by others',
	],
	['is a link', (folder: string) => symlinkSync(temporaryFolder(), folder), 'is not a folder'],
	['is a file', (folder: string) => writeFileSync(folder, ''), 'is not a folder'],
])('a folder that %s is refused', (_, make, reason) => {
	const runtime = temporaryFolder();
	make(join(runtime, 'delegate-tui'));
	vi.stubEnv('XDG_RUNTIME_DIR', runtime);
	expect(() => socketPath('repository')).toThrow(reason);
});

test('a folder that can’t be made is named', () => {
	const temporary = join(temporaryFolder(), 'file');
	writeFileSync(temporary, '');
	vi.stubEnv('XDG_RUNTIME_DIR', '');
	vi.stubEnv('TMPDIR', temporary);
	expect(() => socketPath('repository')).toThrow('could not be made');
});

test.runIf(userInfo().uid === 0)('a folder of someone else is refused', () => {
	const runtime = temporaryFolder();
	const folder = join(runtime, 'delegate-tui');
	mkdirSync(folder, {mode: 0o700});
	chownSync(folder, 12_345, 12_345);
	vi.stubEnv('XDG_RUNTIME_DIR', runtime);
	expect(() => socketPath('repository')).toThrow('belongs to someone else');
});

test('the socket of an agent lies in a private folder of its own', () => {
	const runtime = temporaryFolder();
	vi.stubEnv('XDG_RUNTIME_DIR', runtime);
	const path = agentSocketPath('DEL-1/AGT-001');
	expect(path).toMatch(new RegExp(`^${runtime}/delegate-tui/[0-9a-f]{12}/tools\\.sock$`));
	expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
	expect(dirname(agentSocketPath('DEL-1/AGT-002'))).not.toBe(dirname(path));
});

test('a folder of an agent’s socket that others can enter is refused', () => {
	vi.stubEnv('XDG_RUNTIME_DIR', temporaryFolder());
	const path = agentSocketPath('DEL-1/AGT-001');
	chmodSync(dirname(path), 0o755);
	expect(() => agentSocketPath('DEL-1/AGT-001')).toThrow('can be entered by others');
});
