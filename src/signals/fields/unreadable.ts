/** What an agent said looks like a signal and can't be read; the message says why, for the agent that said it. */
export class Unreadable extends Error {}

/** What an agent said is the form of a signal with its blanks not filled in, so it was shown, not said. */
export class OnlyExample extends Error {}
