import type {State} from '../../../state/state.ts';
import {files} from '../play.ts';
import {accept, approve, approvePlan, type Decision, type Scene} from '../scene.ts';

/** Only who knows all that is asked sees that two of them ask the same. */
const haveBothAsked = ({agents}: State): boolean =>
	agents.every(({turn}) => turn.number > 0 && turn.phase === 'ended');

/** Everything that the scripted person decides in this scene. */
const decisions: readonly Decision[] = [
	approvePlan('The scopes share no file. What they will have to ask is not written anywhere.'),
	{
		kind: 'question',
		agent: 'AGT-002',
		choice: 'up',
		when: haveBothAsked,
		why: 'The house never loses half a cent. It is urgent, so it stands first; the other agent asks the same, and "--same" would answer both.',
	},
	{
		kind: 'question',
		agent: 'AGT-001',
		choice: 'up',
		why: 'The same answer: two parts of one till must round alike.',
	},
	{
		kind: 'question',
		agent: 'AGT-001',
		choice: '10',
		why: 'It can’t be read anywhere, so a person has to say it. It asked both at once, and goes on when both are answered.',
	},
	accept('AGT-001', 'It takes ten percent off, and says how it rounds.'),
	accept('AGT-002', 'It rounds as the other one does.'),
	approve('The check passed on exactly this tree.'),
];

/** The agent that asks what the other one asks, too, and says that it is urgent. */
const split = `# An agent: reads its prompt on stdin, works in the current directory, speaks on stdout.
prompt=$(cat)
rounding=$(printf '%s\\n' "$prompt" | sed -n 's/^ANSWER rounding: //p')

if [ -z "$rounding" ]; then
	echo "PROGRESS: Split - three guests share a bill of ten"
	sleep "$DEMO_PAUSE"
	cat <<'END'
[CLARIFICATION_NEEDED]
blocked_at: a bill that can’t be shared evenly
urgent: true
questions:
  - id: rounding
    question: Where does half a cent go?
    options: [up, down]
[/CLARIFICATION_NEEDED]
END
	exit
fi

echo "PROGRESS: Split - half a cent goes $rounding"
[ "$rounding" = up ] && round=Math.ceil || round=Math.floor
cat >src/split.js <<END
/** Returns what each of so many guests pays of a sum, in cents; half a cent goes $rounding. */
export const split = (sum, guests) => $round(sum / guests);
END
cat >test/split.test.js <<'END'
import assert from 'node:assert/strict';
import test from 'node:test';
import {split} from '../src/split.js';

test('two guests share ten evenly', () => {
	assert.equal(split(1000, 2), 500);
});
END
sleep "$DEMO_PAUSE"
node --test test/split.test.js >/dev/null && status=success || status=failed
cat <<END
[COMPLETION_REPORT]
status: $status
deliverables: [src/split.js, test/split.test.js]
[/COMPLETION_REPORT]
END
`;

/** The agent that asks two things at once, and needs both answers. */
const discount = `# An agent: reads its prompt on stdin, works in the current directory, speaks on stdout.
prompt=$(cat)
answer() { printf '%s\\n' "$prompt" | sed -n "s/^ANSWER $1: //p"; }
rounding=$(answer rounding)
percent=$(answer percent)

if [ -z "$percent" ]; then
	echo "PROGRESS: Discount - reading src/total.js"
	sleep "$DEMO_PAUSE"
	cat <<'END'
[CLARIFICATION_NEEDED]
blocked_at: the size of the discount
current_state: src/total.js is read, nothing is written yet
questions:
  - id: rounding
    question: Where does half a cent go?
    options: [up, down]
  - id: percent
    question: How many percent do regular guests get off?
    type: number
    context: The price list says nothing of it.
[/CLARIFICATION_NEEDED]
END
	exit
fi

echo "PROGRESS: Discount - taking $percent percent off, half a cent goes $rounding"
[ "$rounding" = up ] && round=Math.ceil || round=Math.floor
cat >src/discount.js <<END
/** Returns what a regular guest pays of a sum, in cents; half a cent goes $rounding. */
export const discounted = sum => $round(sum * (1 - $percent / 100));
END
cat >test/discount.test.js <<END
import assert from 'node:assert/strict';
import test from 'node:test';
import {discounted} from '../src/discount.js';

test('a regular guest pays $percent percent less', () => {
	assert.equal(discounted(1000), 1000 - 10 * $percent);
});
END
sleep "$DEMO_PAUSE"
node --test test/discount.test.js >/dev/null && status=success || status=failed
cat <<END
[COMPLETION_REPORT]
status: $status
deliverables: [src/discount.js, test/discount.test.js]
[/COMPLETION_REPORT]
END
`;

/** Both agents need to know how a till rounds, and neither of them can know it. */
const plan = `version: 1
task: Split a bill between guests, and take a discount off
context: The till of a tea house, in plain JavaScript. All amounts are cents.
success: [node --test passes]
target: main
verify: [node --test --test-reporter=spec]
agents:
  - subtask: A discount for regular guests
    goal: discounted() takes the discount off; a test shows it
    scope: {allowed: [src/discount.js, test/discount.test.js]}
    agent: discount
  - subtask: One bill for several guests
    goal: split() tells what each of them pays; a test shows it
    scope: {allowed: [src/split.js, test/split.test.js]}
    agent: split
`;

/** Two agents that ask instead of guessing, one of them two things at once, both the same. */
export const questions: Scene = {
	summary: 'two agents that ask: several things at once, the same thing, and what is urgent',
	opening: `Two agents will work on the till of a tea house, and neither can know how it
rounds. One asks two things at once, which is one form on the screen; the other
asks one of them, too, and says that it is urgent. Both let go and are started
again with the answers. The agents are shell scripts, and the person who decides
is a script, too: its decisions are marked "by: demo".`,
	closing: `You saw questions that wait without limit, an urgent one that stood first, two
that were one form, and two agents that asked the same. Nobody guessed, and each
answer is in the log: delegate-tui log --questions.`,
	files,
	plan,
	cast: {discount: {script: discount}, split: {script: split}},
	decisions,
};
