/** The file in which an agent asked something; `PROTOCOL, Questions on disk`. */
export type QuestionFile = {
	/** Its name without the ending, which is the id of what it asks. */
	readonly id: string;
	/** Its name where its agent wrote it, if that was in a folder of the agent's own; where the person looks it may have another one. */
	readonly inner?: string;
	/** Id of the user whom it belongs to. */
	readonly owner: number;
	/** Where the agent keeps what it needs to go on. */
	readonly checkpoint?: string;
	/** What the agent calls what it is at. */
	readonly workflow?: string;
};

/** What became of questions and answers in files. */
export type QuestionEvent =
	| {
			/** The file of a question went before anybody was known to have answered it: its agent needs no answer any more, or has one. */
			readonly kind: 'question.withdrawn';
			readonly agent: string;
			/** The name of the file, without its ending. */
			readonly file: string;
	  }
	| {
			readonly kind: 'answer.rejected';
			/** The question that it was for; the name of the file where there is none. */
			readonly item: string;
			readonly why: string;
			/** Where the file is kept. */
			readonly kept: string;
			/** Id of the user whom the file belongs to; null where even that can't be told. */
			readonly owner: number | null;
	  };
