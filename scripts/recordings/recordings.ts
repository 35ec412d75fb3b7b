import {agentEntry, type Recording, says} from './recording.ts';

/** Agents that write the same line of the same file, so that they collide. */
const colliding = {
	'src/limit.txt': 'limit = 1\n',
	'agents/first.sh': `cat >prompt.txt\nrm prompt.txt\necho 'limit = 10' >src/limit.txt\n${says.done}\n`,
	'agents/second.sh': `prompt=$(cat)\ncase "$prompt" in\n*'MERGE CONFLICT'*) echo 'limit = 30' >src/limit.txt ;;\n*) echo 'limit = 20' >src/limit.txt ;;\nesac\n${says.done}\n`,
};

const plan = (...lines: readonly string[]): string =>
	['version: 1', 'task: Rate-limit the public API', ...lines, ''].join('\n');

const pair = plan('agents:', agentEntry('first'), agentEntry('second'));

const accept = (agent: string) => ({kind: 'review', agent, choice: 'merge'});
const approve = {kind: 'approval', choice: 'approve'};

/** Recordings that together contain every way in which a session waits for a person or fails. */
export const recordings: readonly Recording[] = [
	{
		name: 'questions-and-checkpoints',
		files: {
			'agents/asks.sh': `prompt=$(cat)\ncase "$prompt" in\n*'ANSWER port: '*) echo "$prompt" | grep ANSWER >src/port.txt; ${says.done} ;;\n*) sleep 2; ${says.question} ;;\nesac\n`,
			'agents/checks.sh': `prompt=$(cat)\necho work >>src/checked.txt\ncase "$prompt" in\n*'CHECKPOINT REVIEWED'*) ${says.done} ;;\n*) sleep 1; ${says.checkpoint} ;;\nesac\n`,
			'agents/listens.sh': `sleep 3\necho 'PROGRESS: Write - Wrote 1/2 files'\n${says.question}\nwhile read -r line; do\n\tcase "$line" in\n\t*ANSWER*) echo "$line" >src/heard.txt ;;\n\t'[/REPLY]') break ;;\n\tesac\ndone\n${says.done}\n`,
			'agents/follows.sh': `cat >/dev/null\nls src >src/list.txt\necho 'CREATED: src/list.txt'\n${says.done}\n`,
			'check.sh': 'test -s src/port.txt\n',
			'src/readme.txt': 'the limiter\n',
		},
		// All work at once, and wait for the person one after the other.
		stagger: '0s',
		plan: plan(
			'verify: [sh check.sh]',
			'agents:',
			agentEntry('asks'),
			agentEntry('checks'),
			agentEntry('listens').replace(/\}$/, ', reply: stdin}'),
			agentEntry('follows', 'after: [AGT-001, AGT-002]'),
		),
		person: [
			{kind: 'question', agent: 'AGT-001', choice: '8080'},
			{kind: 'question', agent: 'AGT-003', choice: '9090'},
			{kind: 'checkpoint', agent: 'AGT-002', choice: 'help', note: 'keep it short'},
			accept('AGT-001'),
			accept('AGT-002'),
			accept('AGT-003'),
			accept('AGT-004'),
			approve,
		],
	},
	{
		name: 'conflict-choose-one',
		files: colliding,
		plan: pair,
		person: [
			accept('AGT-001'),
			accept('AGT-002'),
			{kind: 'conflict', choice: 'choose-one:AGT-002'},
			approve,
		],
	},
	{
		name: 'conflict-by-hand',
		files: colliding,
		plan: pair,
		person: [
			accept('AGT-001'),
			accept('AGT-002'),
			{kind: 'conflict', choice: 'manual'},
			{kind: 'conflict', choice: 'done', resolves: {'src/limit.txt': 'limit = 15\n'}},
			approve,
		],
	},
	{
		name: 'conflict-one-after-the-other',
		files: colliding,
		plan: pair,
		person: [
			accept('AGT-001'),
			accept('AGT-002'),
			{kind: 'conflict', choice: 'redo:AGT-001,AGT-002'},
			accept('AGT-002'),
			approve,
		],
	},
	{
		name: 'conflict-one-left-out',
		files: colliding,
		plan: pair,
		person: [
			accept('AGT-001'),
			accept('AGT-002'),
			{kind: 'conflict', choice: 'abort:AGT-001'},
			approve,
		],
	},
	{
		name: 'target-moves',
		files: colliding,
		plan: pair.replace(agentEntry('second'), '').trimEnd(),
		person: [
			accept('AGT-001'),
			{...approve, commits: {'src/limit.txt': 'limit = 99\n'}},
			{kind: 'conflict', choice: 'choose-one:AGT-001'},
			approve,
		],
	},
	{
		name: 'crashes-and-retries',
		files: {
			'src/readme.txt': 'the limiter\n',
			'agents/crashes.sh': `cat >/dev/null\nif [ -e src/tried.txt ]; then\n\techo fixed >src/crash.txt\n\t${says.done}\n\texit 0\nfi\necho once >src/tried.txt\necho 'the clock jumped' >&2\nexit 3\n`,
			'agents/forgets.sh': `prompt=$(cat)\necho work >>src/forgotten.txt\ncase "$prompt" in\nREMINDER*) ${says.done} ;;\nesac\n`,
			'agents/salvaged.sh': `cat >/dev/null\necho half >src/half.txt\n${says.partial}\n`,
			'agents/gone.sh': 'cat >/dev/null\nexit 1\n',
		},
		plan: plan(
			'agents:',
			agentEntry('crashes'),
			agentEntry('forgets'),
			agentEntry('salvaged'),
			agentEntry('gone', 'after: [AGT-003]'),
		),
		person: [
			{kind: 'failure', agent: 'AGT-001', choice: 'retry'},
			accept('AGT-001'),
			accept('AGT-002'),
			{kind: 'failure', agent: 'AGT-003', choice: 'salvage'},
			{kind: 'failure', agent: 'AGT-004', choice: 'abandon'},
			approve,
		],
	},
	{
		name: 'check-fails',
		files: {
			'src/limit.txt': 'limit = 1\n',
			'agents/first.sh': `prompt=$(cat)\ncase "$prompt" in\n*'REVIEW FEEDBACK'*) echo right >src/first.txt ;;\n*) echo wrong >src/first.txt ;;\nesac\n${says.done}\n`,
			'check.sh': 'grep -q right src/first.txt\n',
			'agents/second.sh': `prompt=$(cat)\necho more >>src/second.txt\n${says.done}\n`,
		},
		plan: plan('verify: [sh check.sh]', 'agents:', agentEntry('first'), agentEntry('second')),
		person: [
			accept('AGT-001'),
			accept('AGT-002'),
			{kind: 'verify', choice: 'retry'},
			{kind: 'verify', choice: 'feedback', note: 'the first part must be right'},
			accept('AGT-001'),
			accept('AGT-002'),
			{kind: 'approval', choice: 'reject'},
			accept('AGT-001'),
			accept('AGT-002'),
			approve,
		],
	},
	{
		name: 'blockers-and-requests',
		files: {
			'src/readme.txt': 'the limiter\n',
			'agents/stops.sh': `prompt=$(cat)\ncase "$prompt" in\n*'BLOCKER RESOLVED'*) echo done >src/clock.txt; ${says.done} ;;\n*) ${says.blocker} ;;\nesac\n`,
			'agents/widens.sh': `prompt=$(cat)\ncase "$prompt" in\n*'SCOPE DECISION'*) mkdir -p docs; echo limits >docs/limits.md; ${says.done} ;;\n*) echo stray >stray.txt; ${says.scope} ;;\nesac\n`,
			'agents/delegates.sh': `prompt=$(cat)\ncase "$prompt" in\n*'DELEGATION APPROVED'*) echo api >src/api.txt; ${says.done} ;;\n*'Your subtask: Write the clock'*) echo tick >src/tick.txt; ${says.done} ;;\n*) ${says.delegation} ;;\nesac\n`,
		},
		plan: plan('agents:', agentEntry('stops'), agentEntry('widens'), agentEntry('delegates')),
		person: [
			{kind: 'blocker', agent: 'AGT-001', choice: 'resolved', note: 'use the other clock'},
			{kind: 'scope', agent: 'AGT-002', choice: 'once'},
			{kind: 'delegation', agent: 'AGT-003', choice: 'approve'},
			accept('AGT-001'),
			accept('AGT-002'),
			accept('AGT-004'),
			accept('AGT-003'),
			approve,
		],
	},
	{
		name: 'stopped',
		files: {...colliding, 'agents/asks.sh': `cat >/dev/null\n${says.question}\n`},
		plan: pair.replace(agentEntry('second'), agentEntry('asks')),
		person: [accept('AGT-001'), {kind: 'question', agent: 'AGT-002', choice: 'stop'}],
	},
];
