/** The agent that asks two things at once, and needs both answers. */
export const discount = `# An agent: reads its prompt on stdin, works in the current directory, speaks on stdout.
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
