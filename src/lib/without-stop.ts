/** Returns a sentence without its full stop, for one that goes on: whoever said it may have ended it. */
export const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '');
