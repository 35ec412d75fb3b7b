import fc from 'fast-check';
import {expect, test} from 'vitest';
import {resetTimeIn} from '../../../src/agents/trouble/limit.ts';

/** Returns when words say that requests are taken again, as an ISO time; nothing where they don't. */
const read = (words: string, now: string, zone = 'UTC'): string | undefined => {
	const at = resetTimeIn(words, {now, zone});
	return at === undefined ? undefined : new Date(at).toISOString();
};

const evening = '2026-11-28T01:06:00.000Z';

/** As the programs of the four makes were heard to say it, or as people who met a limit wrote it down. */
test.each([
	["You've hit your 5-hour limit · resets 3:10am (UTC)", '2026-11-28T03:10:00.000Z'],
	["You've hit your session limit · resets 10:30pm (Europe/Berlin)", '2026-11-28T21:30:00.000Z'],
	[
		"You've hit your session limit · resets 12:50am (America/Los_Angeles)",
		'2026-11-28T08:50:00.000Z',
	],
	['5-hour limit reached ∙ resets 5am', '2026-11-28T05:00:00.000Z'],
	["You've hit your weekly limit · resets Dec 1, 3pm (Europe/Berlin)", '2026-12-01T14:00:00.000Z'],
	["You've hit your weekly limit · resets Jan 2 at 3:10am", '2027-01-02T03:10:00.000Z'],
	[
		"You've hit your usage limit. Upgrade to Plus or try again at 3:10 AM.",
		'2026-11-28T03:10:00.000Z',
	],
	["You've hit your usage limit. Try again at 3:10\u202fAM.", '2026-11-28T03:10:00.000Z'],
	['or try again at Nov 28th, 2026 3:10 AM.', '2026-11-28T03:10:00.000Z'],
	['try again at Dec 20, 2026, 7:38 AM', '2026-12-20T07:38:00.000Z'],
	['or try again in 2 hours 4 minutes.', '2026-11-28T03:10:00.000Z'],
	['or try again in 5 days 22 hours 11 minutes.', '2026-12-03T23:17:00.000Z'],
	['Rate limit reached for gpt-5.5. Please try again in 1.898s.', '2026-11-28T01:06:01.898Z'],
	['Quota exceeded for metric: x. Please retry in 34.072857399s.', '2026-11-28T01:06:34.073Z'],
	['Please retry in 250ms.', '2026-11-28T01:06:00.250Z'],
	['Suggested retry after 7200s.', '2026-11-28T03:06:00.000Z'],
	['Your quota will reset after 4h28m20s.', '2026-11-28T05:34:20.000Z'],
	['Usage limit reached. Access resets at 10:57 PM GMT-3.', '2026-11-28T01:57:00.000Z'],
	['it resets at 2026-11-28T03:10:40Z', '2026-11-28T03:10:00.000Z'],
	['it resets at 2026-11-28 05:10 +02:00', '2026-11-28T03:10:00.000Z'],
	['You have exhausted your daily quota on this model.', '2026-11-28T08:00:00.000Z'],
])('%s', (words, at) => {
	expect(read(words, evening)).toBe(at);
});

test.each([
	['UTC', '2026-11-28T03:10:00.000Z'],
	['Europe/Berlin', '2026-11-28T02:10:00.000Z'],
	['America/New_York', '2026-11-28T08:10:00.000Z'],
	['Asia/Kolkata', '2026-11-28T21:40:00.000Z'],
])('a time of day without a zone is the next one of the person’s in %s', (zone, at) => {
	expect(read('try again at 3:10 AM', evening, zone)).toBe(at);
});

test.each([
	['12am', '2026-11-29T00:00:00.000Z'],
	['12:30 am', '2026-11-29T00:30:00.000Z'],
	['12pm', '2026-11-28T12:00:00.000Z'],
	['12:05 p.m.', '2026-11-28T12:05:00.000Z'],
	['11:59pm', '2026-11-28T23:59:00.000Z'],
	['23:59', '2026-11-28T23:59:00.000Z'],
	['0:30', '2026-11-29T00:30:00.000Z'],
])('resets %s', (time, at) => {
	expect(read(`resets ${time}`, evening)).toBe(at);
});

test.each([
	['now', 'resets 1:06am', '2026-11-28T01:06:00.000Z'],
	['nine minutes ago', 'resets 12:57am', '2026-11-28T00:57:00.000Z'],
	['eleven minutes ago', 'resets 12:55am', '2026-11-29T00:55:00.000Z'],
	[
		'nine minutes ago by its date',
		'try again at Nov 28th, 2026 12:57 AM',
		'2026-11-28T00:57:00.000Z',
	],
	['an hour ago by its date', 'try again at Nov 28th, 2026 12:06 AM', undefined],
	['an hour ago by a date without a year', 'resets Nov 28, 12:06am', undefined],
])('a time that was %s', (_, words, at) => {
	expect(read(words, evening)).toBe(at);
});

test('around midnight the last minutes of a day have just passed', () => {
	expect(read('resets 11:58pm', '2026-11-28T00:02:00.000Z')).toBe('2026-11-27T23:58:00.000Z');
	expect(read('resets 12:01am', '2026-11-28T23:59:30.000Z')).toBe('2026-11-29T00:01:00.000Z');
	expect(read('resets Jan 1, 12am', '2026-12-31T23:59:30.000Z')).toBe('2027-01-01T00:00:00.000Z');
});

test('of an hour that a clock shows twice the next one is meant, and one that it skips is shown an hour later', () => {
	const twice = (now: string) => read('resets 2:30am (Europe/Berlin)', now);
	expect(twice('2026-10-25T00:00:00.000Z')).toBe('2026-10-25T00:30:00.000Z');
	expect(twice('2026-10-25T00:45:00.000Z')).toBe('2026-10-25T01:30:00.000Z');
	expect(twice('2026-10-25T01:45:00.000Z')).toBe('2026-10-26T01:30:00.000Z');
	expect(twice('2026-03-29T00:00:00.000Z')).toBe('2026-03-29T01:30:00.000Z');
	expect(read('resets 4am (Europe/Berlin)', '2026-03-28T23:30:00.000Z')).toBe(
		'2026-03-29T02:00:00.000Z',
	);
});

test.each([
	'',
	'You’ve hit your usage limit.',
	'Please try again later.',
	'try again 3 times',
	'try again in a few minutes',
	'try again in 5 decades',
	'resets soon',
	'resets 25:10',
	'resets 13pm',
	'resets 0am',
	'resets 3:75am',
	'resets 3pm (Mars/Olympus)',
	'resets 3pm PDT',
	'resets Feb 30, 3am',
	'resets 2026-13-01T03:10:00Z',
	'resets every 5h and every week',
	'presets 3pm',
	'try again at 10 de jul. de 2026, 11:52',
])('no time is told by: %s', words => {
	expect(read(words, evening)).toBeUndefined();
});

const someTime = fc.date({
	min: new Date('2026-01-01'),
	max: new Date('2030-01-01'),
	noInvalidDate: true,
});
const someZone = fc.constantFrom(
	'UTC',
	'Europe/Berlin',
	'America/St_Johns',
	'Asia/Kathmandu',
	'Australia/Lord_Howe',
	'Pacific/Apia',
);

test('a time of day is never more than a day and an hour off, nor long past', () => {
	fc.assert(
		fc.property(someTime, someZone, fc.nat(23), fc.nat(59), (date, zone, hour, minute) => {
			const time = `${hour % 12 || 12}:${String(minute).padStart(2, '0')}${hour < 12 ? 'am' : 'pm'}`;
			const at = resetTimeIn(`resets ${time} (${zone})`, {now: date.toISOString(), zone: 'UTC'});
			const offMs = (at ?? Number.NaN) - date.getTime();
			expect(offMs).toBeGreaterThanOrEqual(-10 * 60_000);
			expect(offMs).toBeLessThanOrEqual(25 * 3_600_000);
		}),
	);
});

test('the time that a clock shows is read as that time, whatever the zone', () => {
	fc.assert(
		fc.property(
			someTime,
			someZone,
			fc.integer({min: 0, max: 7 * 24 * 60}),
			(date, zone, minutes) => {
				const at = Math.floor(date.getTime() / 60_000) * 60_000 + minutes * 60_000;
				const shown = new Intl.DateTimeFormat('en-US', {
					...{timeZone: zone, month: 'short', day: 'numeric', year: 'numeric'},
					...{hour: 'numeric', minute: '2-digit', hour12: true},
				}).format(at);
				const read = resetTimeIn(`try again at ${shown} (${zone})`, {
					now: date.toISOString(),
					zone: 'UTC',
				});
				// Where a clock shows an hour twice, its first showing may be the one that is still to come.
				expect([0, 30 * 60_000, 60 * 60_000]).toContain(Math.abs((read ?? Number.NaN) - at));
			},
		),
	);
});

test('whatever words say, what is read of them is a time or nothing', () => {
	fc.assert(
		fc.property(
			fc.string(),
			fc.constantFrom('resets ', 'try again in ', 'try again at '),
			(rest, start) => {
				const at = resetTimeIn(start + rest, {now: evening, zone: 'Europe/Berlin'});
				expect(at === undefined || Number.isFinite(at)).toBe(true);
			},
		),
	);
});
