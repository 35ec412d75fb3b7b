/**
The agent that shows what it has before it goes on, and that works again after the collision.

It rounds only if the note on its checkpoint says so, and joins both changes only if the note on the conflict does: its tests fail if a person's word gets lost.
*/
export const tip = `# An agent: reads its prompt on stdin, works in the current directory, speaks on stdout.
prompt=$(cat)
heard() { printf '%s\\n' "$prompt" | grep -q "$1"; }

run_test() {
	if node --test test/tip.test.js >/dev/null; then echo PASS; else echo FAIL; fi
}

write_tip() {
	cat >src/tip.js <<END
/** Returns a sum with the tip on it, in cents. */
export const withTip = (sum, {tip = 0}) => $1;
END
}

write_total() {
	cat >src/total.js <<END
$1

/** Returns what a guest pays, in cents. */
export const total = order => {
	const sum = order.items.reduce((cents, item) => cents + menu[item], 0);
	return $2;
};
END
}

report() {
	[ "$(run_test)" = PASS ] && status=success || status=failed
	cat <<END
[COMPLETION_REPORT]
status: $status
deliverables: [src/tip.js, src/total.js, test/tip.test.js]
[/COMPLETION_REPORT]
END
}

begin() {
	echo "PROGRESS: Tip - writing src/tip.js"
	write_tip 'sum + sum * tip / 100'
	write_total "import {menu} from './menu.js';
import {withTip} from './tip.js';" 'withTip(sum, order)'
	cat >test/tip.test.js <<'END'
import assert from 'node:assert/strict';
import test from 'node:test';
import {total} from '../src/total.js';

test('twenty percent tip on a tea', () => {
	assert.equal(total({items: ['tea'], tip: 20}), 300);
});
END
	sleep "$DEMO_PAUSE"
	cat <<END
═══════════════════════════════════════
AGENT CHECKPOINT: [$DELEGATE_AGENT]
═══════════════════════════════════════

Status: IN_PROGRESS
Progress: 60%

## Changes Made
| File | Action | Description |
|------|--------|-------------|
| src/tip.js | created | sum + sum * tip / 100 |
| src/total.js | modified | adds the tip to the sum |
| test/tip.test.js | created | 20 % on a tea is 3.00 |

## Tests Run
- Executed: Y
- Result: $(run_test)

## Blockers
None

## Request
CONTINUE

═══════════════════════════════════════
END
}

go_on() {
	if heard 'whole cents'; then
		echo "PROGRESS: Tip - rounding to whole cents"
		write_tip 'sum + Math.round((sum * tip) / 100)'
	fi

	cat >>test/tip.test.js <<'END'

test('a tip is rounded to whole cents', () => {
	assert.equal(total({items: ['tea'], tip: 15}), 288);
});
END
	sleep "$DEMO_PAUSE"
	report
}

join_both() {
	echo "PROGRESS: Tip - joining both changes of src/total.js"
	sum='withTip(sum, order)'
	if heard 'discount first'; then
		sum='withTip(discounted(sum, order), order)'
	fi

	write_total "import {discounted} from './discount.js';
import {menu} from './menu.js';
import {withTip} from './tip.js';" "$sum"
	cat >>test/tip.test.js <<'END'

test('a regular guest tips on the discounted sum', () => {
	assert.equal(total({items: ['tea'], regular: true, tip: 20}), 270);
});
END
	sleep "$DEMO_PAUSE"
	report
}

if heard '^MERGE CONFLICT'; then
	join_both
elif heard '^CHECKPOINT REVIEWED'; then
	go_on
else
	begin
fi
`;
