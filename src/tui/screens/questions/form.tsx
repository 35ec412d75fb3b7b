import {Badge} from '@inkjs/ui';
import {Box} from 'ink';
import {counted} from '../../../lib/text/counted.ts';
import {Choices} from '../../components/choices.tsx';
import {Line} from '../../components/line.tsx';
import {Rows} from '../../components/rows.tsx';
import {Rule} from '../../components/rule.tsx';
import type {Form} from '../../model/questions.ts';
import type {Context} from '../../model/view.ts';
import {blank, type Row, row, span} from '../../rows/row.ts';
import {bodyOf, positionInBody} from '../body.ts';
import type {ScreenProps} from '../screen-props.ts';
import {closedQuestionRows} from './closed-question-rows.ts';
import {formLayout} from './form-layout.ts';

/** Several questions of one agent: all of them in a list, one of them in full, and one confirmation for all answers. */
export const FormView = ({context, height}: ScreenProps) => {
	const layout = formLayout(context);
	if (layout === undefined || layout.form.questions.length === 0) {
		return <Rows rows={allGoneRows(context)} height={height} />;
	}

	const {columns} = context.view.size;
	const {form, list, listHeight, listOffset, bodyHeight, bottomHeight} = layout;
	const body = bodyOf(context);
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			<Box height={1} overflow="hidden" flexShrink={0}>
				<Badge>questions</Badge>
				<Line row={titleRow(context, form)} />
			</Box>
			<Rule columns={columns} />
			<Rows rows={list} height={listHeight} offset={listOffset} />
			<Rule columns={columns} />
			<Rows
				rows={body.rows
					.slice(body.offset, body.offset + bodyHeight)
					.map(cells => [span(' '), ...cells])}
				height={bodyHeight}
			/>
			<Rule columns={columns} right={positionInBody(body)} />
			{bottomHeight > 0 && form.shown !== undefined && (
				<Choices context={context} place={form.place} shown={form.shown} height={bottomHeight} />
			)}
		</Box>
	);
};

const allGoneRows = (context: Context): readonly Row[] => {
	const {place, size} = context.view;
	return [
		row('These questions are gone', 'strong'),
		blank,
		...(place.at === 'questions'
			? closedQuestionRows(context, place, {open: [], columns: size.columns})
			: []),
		row('Esc goes back.', 'dim'),
	];
};

const titleRow = ({view}: Context, {place, questions}: Form): Row => {
	const answered = questions.filter(({id}) => view.answers[id] !== undefined).length;
	return [
		span(` ${place.agent}  `, 'strong'),
		span(`asks ${counted(questions.length, 'question')} at once`),
		span(`  ${answered} answered`, answered === questions.length ? 'good' : 'dim'),
	];
};
