/** The time and time zone of a reader. */
export type Moment = {readonly now: string; readonly zone: string};

/** A date and time in some zone; months count from 1. */
export type WallClock = {
	readonly year: number;
	readonly month: number;
	readonly day: number;
	readonly hour: number;
	readonly minute: number;
};

const dayMs = 24 * 3_600_000;

/**
Converts a time into a zone.

@throws RangeError for an unknown zone
*/
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
Returns the times that a date and time in a zone can mean, earliest first.

An hour occurs twice when clocks are set back. A skipped hour uses the offset before it.
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

/** Returns the time of day in a zone, such as `03:10`; with its date if it is more than a day away. */
export const clockText = (at: string, {now, zone}: Moment): string => {
	const atMs = Date.parse(at);
	const {year, month, day, hour, minute} = wallClockAt(atMs, zone);
	const time = `${twoDigits(hour)}:${twoDigits(minute)}`;
	return Math.abs(atMs - Date.parse(now)) < dayMs
		? time
		: `${year}-${twoDigits(month)}-${twoDigits(day)} ${time}`;
};

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** Returns the UTC offset of a zone, in milliseconds. */
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

/** Caches formats: creating one takes a hundred times as long as using it. */
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
