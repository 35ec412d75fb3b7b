import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {agent} from './plan-file.ts';
import {makeProject} from './project.ts';
import {git, script} from './repository.ts';

/** Makes a project in which the first git that writes a second file into the checkout is killed together with its supervisor, after a shell command. */
export const makeDeadlyProject = (meanwhile = 'true') => {
	const project = makeProject({
		'.gitattributes': '*.txt filter=deadly\n',
		'src/one.txt': 'base\n',
		'src/two.txt': 'base\n',
	});
	const {root, aside} = project;
	const [armed, deadly] = [join(aside, 'armed'), join(aside, 'deadly')];
	script(
		deadly,
		`[ "$PWD" = ${root} ] && [ -e ${armed} ] || exec cat
[ -s ${armed} ] || { echo once > ${armed}; exec cat; }
rm ${armed}
${meanwhile}
kill -9 $(ps -o ppid= -p $PPID) $PPID
`,
	);
	git(root, 'config', 'filter.deadly.smudge', deadly);
	git(root, 'config', 'filter.deadly.clean', 'cat');
	return {project, root, arm: () => writeFileSync(armed, '')};
};

/** Agent whose work is merged there. */
export const twoFiles = agent('edits.sh', ['src/one.txt', 'merged', 'src/two.txt', 'merged']);
