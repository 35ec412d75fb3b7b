import {z} from 'zod';
import type {ModelLimit} from '../../events/model-trouble.ts';
import {attempt} from '../../lib/failure.ts';
import {type Moment, timesOf, type WallClock, wallClockAt} from '../../lib/zoned-time.ts';

/** What a service said when it rate-limited a request. */
export type Refused = {
	readonly words: string;
	/** When requests are taken again, in milliseconds since 1970, where that was told in a field. */
	readonly atMs?: number | undefined;
	/** How long to wait, in seconds, where that was. */
	readonly afterS?: number | undefined;
};

/** Returns when requests are taken again, in milliseconds since 1970, where that was told. */
export const resetTimeOf = ({words, atMs, afterS}: Refused, moment: Moment): number | undefined => {
	const told = atMs ?? (afterS === undefined ? undefined : Date.parse(moment.now) + afterS * 1000);
	return told !== undefined && isTime(told) ? told : resetTimeIn(words, moment);
};

/** Returns the limit that was met; nothing where no reset was told, or for an unnamed pause shorter than a minute. */
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

/** Names of limits as services say them; the words of Claude Code hold nothing else that tells of a limit. */
export const limitName =
	/\b(?:\d+-hour|session|daily|weekly|monthly|usage|opus|sonnet|haiku|fable) (?:limit|quota)\b/i;

const modelName = /^(?:opus|sonnet|haiku|fable)\b/i;

const modelLimit = /\b(?:opus|sonnet|haiku|fable) limit\b|\bon this model\b/i;

/** Services ask for less when a few requests came too fast, in milliseconds. */
const leastMs = 60_000;

/** The latest time that there is, in milliseconds since 1970. */
const isTime = (ms: number): boolean => Math.abs(ms) <= 8.64e15;

const rateLimitSchema = z.object({
	status: z.literal('rejected'),
	resetsAt: z.number().refine(seconds => isTime(seconds * 1000)),
	rateLimitType: z.string().optional(),
});

/** Returns the limit that Claude Code tells of in fields of its own, if it has been met. */
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
Returns when a service takes requests again, in milliseconds since 1970, where words tell it: after a while, on a date or at a time of day.

Words tell a time to the minute, in the person's zone where they name none. One that has passed just now counts as it stands, since its seconds are cut off and clocks differ. Nothing is returned for one that is long past or in a zone that nobody knows.
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

/** "resets 3pm", "Please retry in 34.07s", "or try again at 3:10 AM", "Your quota will reset after 4h28m". */
const anchors = /\b(?:resets?|retry|try again)[\s:]+/gi;

/** No time is told in more characters. */
const longestTime = 80;

/** Gemini CLI says so much and no time; Google's [documents](https://ai.google.dev/gemini-api/docs/rate-limits) say when such quotas reset. */
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

/** How long ago a time may be that counts as it stands, in milliseconds. */
const justPassedMs = 10 * 60_000;

/** A date without a year is that of no other year. */
const halfYearMs = 183 * unitsMs.d;

type Found = Readonly<Record<string, string | undefined>>;

/** A number alone is no time. */
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

/** The days on which that may be; around midnight yesterday’s last minutes have just passed. */
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

/** February has no 30th. */
const isDay = ({year, month, day}: Day): boolean => {
	const date = new Date(Date.UTC(year, month - 1, day));
	return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

/** "(Europe/Berlin)", "(UTC)", "GMT-3", "Z". */
const zoneIn = (words: string): string | undefined => {
	const zone =
		/^\s*\(?(Z\b|UTC|GMT(?:[+-]\d{1,2}(?::?\d\d)?)?|[+-]\d\d:?\d\d|[A-Z]\w+(?:\/[\w+-]+)+|[A-Z]{2,4}T\b)/.exec(
			words,
		)?.[1];
	return zone === 'Z' ? 'UTC' : zone?.replace(/^[+-]/, sign => `GMT${sign}`);
};
