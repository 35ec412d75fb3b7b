import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Event} from '../../../src/events/event.ts';
import {inMarkdown} from '../../../src/lib/text/in-markdown.ts';
import {keepDocuments} from '../../../src/supervisor/documents/documents.ts';
import {planned, working} from '../../helpers/given.ts';
import {mergePublished, scopeLeft} from '../../helpers/happened.ts';
import {subtask} from '../../helpers/plan.ts';
import {snapshotTaken} from '../../helpers/quiet-outcome.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const registry = 'docs/logs/delegation_registry.md';
const context = 'docs/logs/session_context.md';
const progress = 'docs/01_progress.md';

/** A checkout with documents, and what they become when a session's events are told. */
const checkout = () => {
	const root = temporaryFolder();
	mkdirSync(join(root, 'docs/logs'), {recursive: true});
	return {
		read: (path: string) => readFileSync(join(root, path), 'utf8'),
		bytes: (path: string) => readFileSync(join(root, path)),
		write: (path: string, content: string | Buffer) => writeFileSync(join(root, path), content),
		tell: async (events: readonly Event[]) => {
			const trouble: unknown[] = [];
			const documents = keepDocuments({root, onTrouble: troubles => trouble.push(...troubles)});
			documents.add(events);
			await documents.flush();
			expect(trouble).toEqual([]);
		},
	};
};

/** The events of a session of that id; what is told later comes after its end. */
const session = (id: string, plan = {}) => {
	const given = planned([subtask('AGT-001')], {plan});
	const named = () =>
		given
			.events()
			.map(event => (event.kind === 'session.started' ? {...event, session: id} : event));
	return {
		events: named,
		end: () => given.tell({kind: 'session.ended', status: 'COMPLETE', why: 'all is merged'}),
		publish: () => given.tell(mergePublished({commit: 'c1', from: 'c0'})),
		undo: () => given.tell({kind: 'merge.undone', commit: 'c1', from: 'c1', to: 'c0'}),
	};
};

test('what a person wrote around and between sessions stays, also when a merge is taken back', async () => {
	const {read, write, tell} = checkout();
	write(registry, 'My preface.\n');
	const first = session('DEL-1');
	await tell(first.events());
	const heading = '## Archived Sessions';
	write(registry, read(registry).replace(heading, `Below, while under way.\n\n${heading}`));
	first.end();
	await tell(first.events());
	write(registry, `${read(registry)}\nNote on the first.\n\n## My list\n\n- one\n`);
	const second = session('DEL-2');
	second.publish();
	second.end();
	await tell(second.events());
	first.publish();
	first.undo();
	await tell(first.events());

	const text = read(registry);
	const order = [
		...['My preface.', '# Delegation Registry', '## Active Session', 'Below, while'],
		...['## Archived Sessions', '### Session DEL-2', '### Session DEL-1', '| UNDONE |'],
		...['Note on the first.', '## My list', '- one'],
	];
	const places = order.map(words => text.indexOf(words));
	expect(places).not.toContain(-1);
	expect(places).toEqual(places.toSorted((one, other) => one - other));
	expect(text.match(/^### Session DEL-1$/gm)).toHaveLength(1);
	await tell(first.events());
	expect(read(registry)).toBe(text);
});

test('a merge that is brought back is named, wherever the target stands by then', async () => {
	const {read, tell} = checkout();
	const given = planned([subtask('AGT-001')]);
	const agents = ['AGT-001'];
	given.tell({kind: 'merge.published', commit: 'c2', from: 'c1', agents, redoes: 'c0'});
	given.tell(mergePublished({commit: 'c2', from: 'c2', agents}));
	await tell(given.events());
	expect(read(progress)).toMatch(/- Brought back: c0, at .*\n- main is now at: c2\n/);
	expect(read(progress)).toMatch(
		/- Commit: c2, .*\n- Nothing to merge: it was all there already\n/,
	);
	expect(read(registry)).toMatch(/PUBLISHED .* c2 \(AGT-001\), which brings c0 back/);
	expect(read(context)).toMatch(/merged c2 into main \(AGT-001\), where it stood already/);
});

test('the log tells where an agent stood that waits, and each checkpoint that was taken of it', async () => {
	const {read, tell} = checkout();
	const given = working(['AGT-001', 'AGT-002']);
	given.says(
		'AGT-001',
		`[CLARIFICATION_NEEDED]
questions: [Which one?, Which other?]
blocked_at: the key of a bucket
current_state: the bucket is written
[/CLARIFICATION_NEEDED]
`,
	);
	given.ends('AGT-001');
	given.tell({...snapshotTaken(given.state(), 'AGT-002', 'due'), checkpoint: true, files: 2});
	given.says('AGT-002', '[STOP_WORK]\ndetails: no network\nblocked_work: Task D\n[/STOP_WORK]\n');
	given.ends('AGT-002');
	await tell(given.events());
	const rows = [...read(registry).matchAll(/\| CHECKPOINT \| (.*) \|$/gm)].map(([, row]) => row);
	expect(rows).toEqual([
		'AGT-001 | paused for you; Which one?; blocked at: the key of a bucket; so far: the bucket is written; Which other?',
		'AGT-002 | Taken as snapshot 1, 2 files changed',
		'AGT-002 | stopped work on a blocker; no network; blocked work: Task D',
	]);
});

test('the last activity is the last thing that an agent said or did, and not what a person had done', async () => {
	const {read, tell} = checkout();
	const given = working(['AGT-001']);
	const changed = (tree: string) => ({
		...snapshotTaken(given.state(), 'AGT-001', 'changed'),
		tree,
	});
	const activity = async () => {
		await tell(given.events());
		return /Last Activity\*\*: (.*)/.exec(read(registry))?.[1];
	};
	const now = () => given.events().at(-1)?.at;
	given.tell(changed('one'));
	const first = now();
	expect(await activity()).toBe(first);
	given.tell(changed('one'));
	expect(await activity()).toBe(first);
	given.tell(scopeLeft('x'));
	expect(await activity()).toBe(now());
	given.ends('AGT-001');
	const last = given.agent('AGT-001').lastAt;
	given.tell(changed('two'));
	expect(await activity()).toBe(last);
});

test('a session that stands as under way although another began is archived as it stands', async () => {
	const {read, tell} = checkout();
	await tell(session('DEL-1', {task: 'Never ended'}).events());
	await tell(session('DEL-2', {task: 'The next'}).events());
	const [active = '', archive = ''] = read(registry).split('## Archived Sessions');
	expect(active).toContain('The next');
	expect(active).not.toContain('Never ended');
	expect(archive).toMatch(/^### Session DEL-1$.*Never ended.*^#### Session Events Log$/ms);
});

test("a person's words stay wherever they stand among ours", async () => {
	const {read, write, tell} = checkout();
	const example = '```\n# Delegation Registry\n\n## Active Session\n\nNone.\n```\n';
	write(
		registry,
		[
			`How it looks:\n\n${example}\n# Delegation Registry\n\nAll on billing stays with us.\n`,
			'## How we delegate\n\nRules of the team.\n\n## Active Session\n\nLook here first.\n\nNone.\n',
			'\tBelow it.\n\n## Before the archive\n\nNone.\n\n## Archived Sessions\n\nOld ones.\n\n# Appendix\n\nEnd.\n',
		].join('\n'),
	);
	const words = () => read(registry).match(/^.*(?:billing|team|first|Below|Old|End)\b.*$/gm);
	const before = words();
	expect(before).toHaveLength(6);
	const first = session('DEL-1');
	await tell(first.events());
	expect(words()).toEqual(before);
	expect(read(registry)).toMatch(/^## Active Session\n\nLook here first\.\n\n\*\*Session ID/m);

	first.end();
	await tell(first.events());
	expect(words()).toEqual(before);
	const text = read(registry);
	expect(text).toContain(
		'Look here first.\n\nNone.\n\n\tBelow it.\n\n## Before the archive\n\nNone.',
	);
	expect(text).toContain('## Archived Sessions\n\nOld ones.\n\n### Session DEL-1\n');
	expect(text).toMatch(/\|\n\n# Appendix\n\nEnd\.\n$/);
	expect(text.startsWith(`How it looks:\n\n${example}`)).toBe(true);
	expect(text.match(/^# Delegation Registry$/gm)).toHaveLength(2);
	await tell(first.events());
	expect(read(registry)).toBe(text);
});

test('a file that has sections of its own only gets ours added', async () => {
	const {read, write, tell} = checkout();
	const own = '# Delegation Registry\n\n## How we delegate\n\nRules of the team.\n';
	write(registry, own);
	await tell(session('DEL-1').events());
	expect(read(registry)).toMatch(/^# [^#]+## How we delegate\n\nRules of the team\.\n\n## Active/);

	write(registry, read(registry).replace('# Delegation Registry\n', '# Who does what\n'));
	await tell(session('DEL-2').events());
	const headings = read(registry).match(/^(?:##? .*|### Session DEL.*)$/gm);
	expect(headings).toEqual([
		...['# Who does what', '## How we delegate', '## Active Session', '## Archived Sessions'],
		'### Session DEL-1',
	]);
});

test('what a person wrote into the text of a session comes to stand below it', async () => {
	const {read, write, tell} = checkout();
	const first = session('DEL-1');
	await tell(first.events());
	const marked = read(registry)
		.replace('### Agents', 'My remarks,\ntwo hours of work.\n\n### Agents')
		.replace('- **Output**', '- **Reviewer**: Ada\n- **Output**')
		.replace(/\n\n## Archived/, '\n| my own row | x | - | y |\n\n## Archived')
		.replaceAll(/^\| (Timestamp|\d\S+) /gm, '|   $1   ')
		.replaceAll(/^ {2}-/gm, '    *  ');
	write(registry, marked);
	const kept =
		'My remarks,\ntwo hours of work.\n\n- **Reviewer**: Ada\n\n| my own row | x | - | y |';
	await tell(first.events());
	const [active = ''] = read(registry).split('## Archived Sessions');
	expect(active.endsWith(`|\n\n${kept}\n\n`)).toBe(true);
	expect(active.match(/Last Activity|Allowed/g)).toHaveLength(2);

	first.end();
	await tell(first.events());
	const text = read(registry);
	write(registry, text.replace('#### Agents', 'Archived remark.\n\n#### Agents'));
	await tell(first.events());
	expect(read(registry)).toBe(text.replace(/\n$/, '\n\nArchived remark.\n'));
	expect(read(registry)).toContain(kept);
});

test('tables and lists stay whole whatever the words in them hold', async () => {
	const {read, tell} = checkout();
	const words = 'a | b\n## Archived Sessions\n| `c|d` \\| e ```\n# Delegation Registry';
	const given = planned([{...subtask('AGT-001'), output: words}], {plan: {task: words}});
	await tell(given.events());
	const lines = read(registry).split('\n');
	const rows = lines.filter(line => line.startsWith('|'));
	expect(rows.length).toBeGreaterThan(2);
	expect(rows.map(row => row.match(/(?<!\\)\|/g)?.length)).toEqual(rows.map(() => 5));
	expect(lines.filter(line => /^#+ (Archived|Delegation)/.test(line))).toEqual([
		'# Delegation Registry',
		'## Archived Sessions',
	]);
});

test('no word of an agent, of a plan or of a file name is markup in any of the documents', async () => {
	const {read, tell} = checkout();
	const hostile =
		'<script>alert(1)</script> ![x](http://evil.example/a.png) [y](javascript:alert(2))';
	const given = planned([{...subtask('AGT-001'), subtask: hostile, output: hostile}], {
		plan: {task: hostile},
	});
	given.tell({
		kind: 'agent.moved',
		agent: 'AGT-001',
		from: 'PENDING',
		to: 'SPAWNING',
		why: 'planned',
	});
	given.tell(scopeLeft('out<svg onload=alert(8)>.txt'));
	given.tell(mergePublished({commit: 'c1', from: 'c0'}));
	given.tell({kind: 'session.ended', status: 'COMPLETE', why: hostile});
	await tell(given.events());
	for (const path of [registry, context, progress]) {
		expect(read(path)).toContain(inMarkdown(hostile));
		expect(read(path)).not.toMatch(/(?<!\\)[<>[\]]|http:/);
	}

	expect(read(registry)).toContain('out\\<svg onload=alert(8)\\>.txt was added outside the scope');
});

test('a line that an earlier version wrote with its markup is not added once more', async () => {
	const {read, write, tell} = checkout();
	const given = planned([{...subtask('AGT-001'), subtask: 'Mend <b>'}]);
	given.tell({
		kind: 'agent.moved',
		agent: 'AGT-001',
		from: 'PENDING',
		to: 'SPAWNING',
		why: 'planned',
	});
	await tell(given.events());
	const before = read(context).replaceAll('\\', '');
	write(context, before);
	await tell(given.events());
	expect(read(context)).toBe(before);
});

test('the bytes of a person are kept, whatever their encoding and line ends', async () => {
	const {read, bytes, write, tell} = checkout();
	const latin = Buffer.from('caf\xe9 | r\xe9sum\xe9\r\n', 'latin1');
	for (const path of [registry, context, progress]) {
		write(path, latin);
	}

	const first = session('DEL-1');
	first.publish();
	await tell(first.events());
	expect(bytes(context).subarray(0, latin.length)).toEqual(latin);
	expect(bytes(progress).subarray(0, latin.length)).toEqual(latin);
	expect(bytes(registry).subarray(0, latin.length - 2)).toEqual(latin.subarray(0, -2));

	for (const path of [registry, context, progress]) {
		write(path, read(path).replaceAll(/\r?\n/g, '\r\n'));
	}

	const [lines, entries] = [read(context), read(progress)];
	await tell(first.events());
	expect([read(context), read(progress)]).toEqual([lines, entries]);
});

test('a checkout that is gone is told once, and nothing is made in its place', async () => {
	const root = join(temporaryFolder(), 'gone');
	const told: (readonly string[])[] = [];
	const documents = keepDocuments({root, onTrouble: troubles => told.push(troubles)});
	documents.add(session('DEL-1').events());
	await documents.flush();
	documents.add([]);
	await documents.flush();
	expect(told).toEqual([[`The documents are not written: your checkout ${root} is gone.`]]);
	expect(existsSync(root)).toBe(false);
});
