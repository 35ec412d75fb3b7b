/** Returns whether a choice at a question is no answer to it. */
export const putsOff = (choice: string): boolean =>
	['snooze', 'pause-clock', 'resume-clock'].includes(choice);
