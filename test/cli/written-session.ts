import {findHere} from '../../src/cli/here.ts';
import {openJournal} from '../../src/journal/writer.ts';
import {repositoryFolder} from '../../src/supervisor/folder.ts';
import {working} from '../helpers/given.ts';
import {makeProject} from '../helpers/project.ts';

export const id = 'DEL-20260101T000000000Z';

/** A project with one session, of which nobody has left more than its journal. */
export const writtenSession = async () => {
	const project = makeProject({'a.txt': 'a\n'});
	const {repository} = await findHere(project.root);
	const here = {repository, folder: repositoryFolder(project.state, repository.id)};
	const folder = here.folder.session(id);
	const journal = await openJournal({folder: folder.journal, session: id});
	const {events} = working(['AGT-001']);
	await journal.append(events().map(({seq: _, ...body}) => body));
	await journal.close();
	return {project, here, folder};
};
