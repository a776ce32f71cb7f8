/** Reviews of a story: type, reviewer and status. */
import { t } from "../text/i18n";
import type { DetailReview } from "../model/detail";
import { addPart, changePart, removePart } from "../model/parts";
import { Menu } from "../ui/menu";
import { people } from "./fields";
import { Part } from "./part";
import type { StoryEditor } from "./story_editor";

interface Props {
	editor: StoryEditor;
	canWrite: boolean;
}

const STATUSES = ["unstarted", "in_review", "pass", "revise"] as const;

function Row({ editor, canWrite, review }: Props & { review: DetailReview }) {
	const { board } = editor;
	const type = board.store.reviewTypes.value.get(review.review_type_id) ?? t("review.type");
	const change = (body: Partial<DetailReview>) => board.do(changePart(editor, "reviews", review.id, body), true);
	const off = !canWrite || review.id < 0;
	return (
		<li class="line review">
			<span class="line-text">{type}</span>
			<select
				aria-label={`${type}: ${t("review.reviewer")}`}
				value={String(review.reviewer_id ?? "")}
				disabled={off}
				onChange={({ currentTarget: node }) => change({ reviewer_id: node.value ? Number(node.value) : null })}
			>
				<option value="">{t("nobody")}</option>
				{people(board).map((p) => (
					<option key={p.key} value={p.key}>
						{p.text}
					</option>
				))}
			</select>
			<select
				aria-label={`${type}: ${t("review.status")}`}
				value={review.status}
				disabled={off}
				onChange={({ currentTarget: node }) => change({ status: node.value as DetailReview["status"] })}
			>
				{STATUSES.map((word) => (
					<option key={word} value={word}>
						{t(`review.${word}`)}
					</option>
				))}
			</select>
			{!off && (
				<button
					type="button"
					class="quiet icon-only"
					aria-label={`${t("delete")}: ${type}`}
					onClick={() => board.do(removePart(editor, "reviews", review.id), true)}
				>
					×
				</button>
			)}
		</li>
	);
}

export function Reviews(part: Props) {
	const { editor, canWrite } = part;
	const { reviews } = editor.shown.value!;
	const add = (id: number) =>
		editor.board.do(
			addPart(
				editor,
				"reviews",
				{ review_type_id: id },
				{ review_type_id: id, reviewer_id: null, status: "unstarted" as const },
			),
			true,
		);
	const types = [...editor.store.reviewTypes.value].map(([id, name]) => ({ label: name, act: () => add(id) }));
	const tools = canWrite && types.length > 0 && <Menu label={t("review.add")} items={types} align="right" />;
	return (
		<Part title={t("story.reviews")} tools={tools}>
			<ul class="part-lines">
				{reviews.map((review) => (
					<Row key={review.id} {...part} review={review} />
				))}
			</ul>
		</Part>
	);
}
