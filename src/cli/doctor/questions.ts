import {examineHome, type HomeTrouble} from '../../control/questions/examine-home.ts';
import {questionHome} from '../../control/questions/home.ts';
import type {Check, Finding} from './check.ts';
import {configFor} from './config-for.ts';

/** Can questions and answers lie as files, and who sees them there? */
export const checkQuestions: Check = async context => {
	const config = await configFor(context);
	if (config.kind === 'unusable') {
		return [];
	}

	const {home} = config.config.questions;
	const troubles = await examineHome(questionHome(home));
	const seen = context.containment.binds
		? 'each agent has them for itself'
		: 'agents see those of others, too';
	return troubles.length > 0
		? troubles.map(findingOf)
		: [{check: 'questions', level: 'good', text: `files of questions lie in ${home}; ${seen}`}];
};

const findingOf = ({kind, path, why}: HomeTrouble): Finding => ({
	check: 'questions',
	level: 'warn',
	text: `${path} ${why}`,
	hint:
		kind === 'open'
			? `chmod go-w ${path} keeps others from answering in your place`
			: 'set it right, or name another folder as questions.home in the config; without files questions can still be answered',
});
