/** When something is looked at, as an ISO time, and the time zone of whoever looks. */
export type Moment = {readonly now: string; readonly zone: string};

/** A day and a time of day as a clock on a wall shows them; months are counted from 1. */
export type WallClock = {
	readonly year: number;
	readonly month: number;
	readonly day: number;
	readonly hour: number;
	readonly minute: number;
};

const dayMs = 24 * 3_600_000;

/** Returns what a clock in a zone shows at a time; fails with a RangeError for a zone that nobody knows. */
export const wallClockAt = (atMs: number, zone: string): WallClock => {
	const shown = new Date(atMs + offsetAt(atMs, zone));
	return {
		year: shown.getUTCFullYear(),
		month: shown.getUTCMonth() + 1,
		day: shown.getUTCDate(),
		hour: shown.getUTCHours(),
		minute: shown.getUTCMinutes(),
	};
};

/**
Returns the times at which a clock in a zone shows that, the earlier one first.

When clocks are set back it shows an hour twice. An hour that is skipped when they are set forward counts by the offset before that.
*/
export const timesOf = (wall: WallClock, zone: string): readonly [number, ...number[]] => {
	const shown = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);
	const before = shown - offsetAt(shown - dayMs, zone);
	const after = shown - offsetAt(shown + dayMs, zone);
	const [first, ...others] = [...new Set([before, after])]
		.filter(atMs => atMs + offsetAt(atMs, zone) === shown)
		.toSorted((one, other) => one - other);
	return first === undefined ? [before] : [first, ...others];
};

/** Returns what a clock in a zone shows at a time, as `03:10`; with its day where that is more than a day off. */
export const clockText = (at: string, {now, zone}: Moment): string => {
	const atMs = Date.parse(at);
	const {year, month, day, hour, minute} = wallClockAt(atMs, zone);
	const time = `${twoDigits(hour)}:${twoDigits(minute)}`;
	return Math.abs(atMs - Date.parse(now)) < dayMs
		? time
		: `${year}-${twoDigits(month)}-${twoDigits(day)} ${time}`;
};

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** Returns by how much the clocks of a zone are ahead of Greenwich at a time, in milliseconds. */
const offsetAt = (atMs: number, zone: string): number => {
	const [, sign, hours = 0, minutes = 0] =
		/^GMT(?:([+-])(\d{1,2})(?::?(\d\d))?)?$/.exec(zone) ?? [];
	if (zone === 'GMT' || sign !== undefined) {
		return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
	}

	const parts = formatOf(zone).formatToParts(atMs);
	const part = (name: Intl.DateTimeFormatPartTypes): number =>
		Number(parts.find(({type}) => type === name)?.value);
	const shown = Date.UTC(
		part('year'),
		part('month') - 1,
		part('day'),
		part('hour'),
		part('minute'),
		part('second'),
	);
	return shown - Math.floor(atMs / 1000) * 1000;
};

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one takes a hundred times as long as using it. */
const formatOf = (zone: string): Intl.DateTimeFormat => {
	const known = formats.get(zone);
	if (known !== undefined) {
		return known;
	}

	const made = new Intl.DateTimeFormat('en-US', {
		timeZone: zone,
		calendar: 'gregory',
		numberingSystem: 'latn',
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	});
	formats.set(zone, made);
	return made;
};
