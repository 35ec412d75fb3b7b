import {z} from 'zod';
import type {ModelLimit} from '../../events/model-trouble.ts';
import {attempt} from '../../lib/failure.ts';
import {type Moment, timesOf, type WallClock, wallClockAt} from '../../lib/zoned-time.ts';

/** A service's answer to a request that it rate-limited. */
export type Refused = {
	readonly words: string;
	/** Time from which requests are accepted again, in milliseconds since 1970, if a field gives it. */
	readonly atMs?: number | undefined;
	/** Time to wait, in seconds, if a field gives it. */
	readonly afterS?: number | undefined;
};

/** Returns the time from which requests are accepted again, in milliseconds since 1970, if the answer gives it. */
export const resetTimeOf = ({words, atMs, afterS}: Refused, moment: Moment): number | undefined => {
	const told = atMs ?? (afterS === undefined ? undefined : Date.parse(moment.now) + afterS * 1000);
	return told !== undefined && isTime(told) ? told : resetTimeIn(words, moment);
};

/** Returns the limit that was met; `undefined` without a reset time, or for an unnamed pause shorter than a minute. */
export const metLimit = (refused: Refused, moment: Moment): ModelLimit | undefined => {
	const at = resetTimeOf(refused, moment);
	const [name] = limitName.exec(refused.words) ?? [];
	const isMoment = at === undefined || at - Date.parse(moment.now) < leastMs;
	return at === undefined || (name === undefined && isMoment)
		? undefined
		: {
				name: name === undefined ? 'limit' : modelName.test(name) ? name : name.toLowerCase(),
				until: new Date(at).toISOString(),
				...(modelLimit.test(refused.words) ? {ofModel: true} : {}),
			};
};

/** Matches services' names of limits; Claude Code's words contain no other sign of a limit. */
export const limitName =
	/\b(?:\d+-hour|session|daily|weekly|monthly|usage|opus|sonnet|haiku|fable) (?:limit|quota)\b/i;

const modelName = /^(?:opus|sonnet|haiku|fable)\b/i;

const modelLimit = /\b(?:opus|sonnet|haiku|fable) limit\b|\bon this model\b/i;

/** Minimum duration of a limit, in milliseconds: services ask for less if a few requests came too fast. */
const leastMs = 60_000;

/** Returns whether a `Date` can represent a time in milliseconds since 1970. */
const isTime = (ms: number): boolean => Math.abs(ms) <= 8.64e15;

const rateLimitSchema = z.object({
	status: z.literal('rejected'),
	resetsAt: z.number().refine(seconds => isTime(seconds * 1000)),
	rateLimitType: z.string().optional(),
});

/** Returns the limit in Claude Code's fields, if it has been met. */
export const limitOfClaude = (info: unknown): ModelLimit | undefined => {
	const {resetsAt, rateLimitType = ''} = rateLimitSchema.safeParse(info).data ?? {};
	const {name, ofModel} = claudeLimits[rateLimitType] ?? {name: 'limit'};
	return resetsAt === undefined
		? undefined
		: {
				name,
				until: new Date(resetsAt * 1000).toISOString(),
				...(ofModel === undefined ? {} : {ofModel}),
			};
};

const claudeLimits: Readonly<Record<string, Pick<ModelLimit, 'name' | 'ofModel'>>> = {
	five_hour: {name: '5-hour limit'},
	seven_day: {name: 'weekly limit'},
	seven_day_opus: {name: 'Opus limit', ofModel: true},
	seven_day_sonnet: {name: 'Sonnet limit', ofModel: true},
};

/**
Returns when a service accepts requests again, in milliseconds since 1970, according to words: after a duration, on a date or at a time of day.

Words give a time to the minute, in the person's zone if they name none. A time that has just passed counts unchanged, since its seconds are cut off and clocks differ. Returns `undefined` for one that is long past or in an unknown zone.
*/
export const resetTimeIn = (words: string, moment: Moment): number | undefined => {
	for (const {index, 0: anchor} of words.matchAll(anchors)) {
		const rest = words.slice(index + anchor.length).slice(0, longestTime);
		const at = afterWhile(rest, moment) ?? attempt(() => atClock(rest, moment));
		if (at !== undefined) {
			return at;
		}
	}

	return dailyQuota.test(words) ? attempt(() => atClock(pacificMidnight, moment)) : undefined;
};

/** Matches "resets 3pm", "Please retry in 34.07s", "or try again at 3:10 AM", "Your quota will reset after 4h28m". */
const anchors = /\b(?:resets?|retry|try again)[\s:]+/gi;

/** Maximum length of a time, in characters. */
const longestTime = 80;

/** Gemini CLI's message without a time; Google's [documents](https://ai.google.dev/gemini-api/docs/rate-limits) say when such quotas reset. */
const dailyQuota = /exhausted your daily quota/i;
const pacificMidnight = '0:00 America/Los_Angeles';

const unitsMs = {ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 24 * 3_600_000} as const;

const span =
	/^(?:in|after)\s(?:\d{1,9}(?:\.\d{1,9})?\s?(?:ms|d(?:ays?)?|h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)(?![a-z])[\s,]*(?:and\s)?)+/i;

const afterWhile = (words: string, {now}: Moment): number | undefined => {
	const parts = [...(span.exec(words)?.[0] ?? '').matchAll(/([\d.]+)\s?(ms|[dhms])/gi)];
	const totalMs = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * msIn(unit), 0);
	return parts.length === 0 ? undefined : Date.parse(now) + Math.ceil(totalMs);
};

const msIn = (unit = ''): number => {
	const name = unit.toLowerCase();
	return name in unitsMs ? unitsMs[name as keyof typeof unitsMs] : 0;
};

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const clock = new RegExp(
	[
		'^(?:(?:at|on)\\s)?',
		`(?:(?<month>${months.join('|')})[a-z]*\\.?\\s(?<day>\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s(?<year>\\d{4}))?,?\\s(?:at\\s)?`,
		'|(?<isoYear>\\d{4})-(?<isoMonth>\\d\\d)-(?<isoDay>\\d\\d)[T\\s])?',
		'(?<hour>\\d{1,2})(?::(?<minute>\\d\\d)(?::\\d\\d(?:\\.\\d+)?)?)?(?:\\s?(?<half>[ap])\\.?m\\b)?',
	].join(''),
	'i',
);

const atClock = (words: string, moment: Moment): number | undefined => {
	const found = clock.exec(words);
	const time = timeOfDay(found?.groups ?? {});
	if (found === null || time === undefined) {
		return undefined;
	}

	const zone = zoneIn(words.slice(found[0].length)) ?? moment.zone;
	const nowMs = Date.parse(moment.now);
	return daysOf(found.groups ?? {}, wallClockAt(nowMs, zone))
		.flatMap(day => timesOf({...day, ...time}, zone))
		.toSorted((one, other) => one - other)
		.find(at => at >= nowMs - justPassedMs && at < nowMs + halfYearMs);
};

/** Age up to which a past time counts unchanged, in milliseconds. */
const justPassedMs = 10 * 60_000;

/** A date without a year is at most this far away, in milliseconds. */
const halfYearMs = 183 * unitsMs.d;

type Found = Readonly<Record<string, string | undefined>>;

/** Returns a time of day; a number alone is none. */
const timeOfDay = ({hour, minute, half}: Found): Pick<WallClock, 'hour' | 'minute'> | undefined => {
	const hours = Number(hour);
	const minutes = Number(minute ?? 0);
	const isOdd = half === undefined ? minute === undefined || hours > 23 : hours < 1 || hours > 12;
	if (isOdd || minutes > 59) {
		return undefined;
	}

	const afternoon = half?.toLowerCase() === 'p' ? 12 : 0;
	return {hour: half === undefined ? hours : (hours % 12) + afternoon, minute: minutes};
};

type Day = Pick<WallClock, 'year' | 'month' | 'day'>;

/** Returns the possible days; around midnight, yesterday's last minutes have just passed. */
const daysOf = (found: Found, today: Day): readonly Day[] => {
	const month = Number(found.isoMonth ?? months.indexOf(found.month?.toLowerCase() ?? '') + 1);
	const day = Number(found.isoDay ?? found.day);
	const year = found.isoYear ?? found.year;
	if (Number.isNaN(day)) {
		return [-1, 0, 1].map(days => ({...today, day: today.day + days}));
	}

	return (year === undefined ? [today.year, today.year + 1] : [Number(year)])
		.map(year => ({year, month, day}))
		.filter(isDay);
};

/** Returns whether a date exists, unlike February 30. */
const isDay = ({year, month, day}: Day): boolean => {
	const date = new Date(Date.UTC(year, month - 1, day));
	return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

/** Returns a time zone, such as "(Europe/Berlin)", "(UTC)", "GMT-3" or "Z". */
const zoneIn = (words: string): string | undefined => {
	const zone =
		/^\s*\(?(Z\b|UTC|GMT(?:[+-]\d{1,2}(?::?\d\d)?)?|[+-]\d\d:?\d\d|[A-Z]\w+(?:\/[\w+-]+)+|[A-Z]{2,4}T\b)/.exec(
			words,
		)?.[1];
	return zone === 'Z' ? 'UTC' : zone?.replace(/^[+-]/, sign => `GMT${sign}`);
};
