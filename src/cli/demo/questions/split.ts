/** The agent that asks what the other one asks, too, and says that it is urgent. */
export const split = `# An agent: reads its prompt on stdin, works in the current directory, speaks on stdout.
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
