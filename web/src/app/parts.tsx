/**
 * Parts of the program that are loaded when they are first shown, each with its texts. A page is a
 * file with a default export; a line here and one in main.tsx make it known.
 */
import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadTexts, t, type Part } from "./i18n";

type Loaded<P> = { default: FunctionComponent<P> };

/** A component that fetches itself. `preload` does so before anybody looks. */
export function lazy<P extends object>(load: () => Promise<Loaded<P>>, texts?: Part) {
	let here: FunctionComponent<P> | null = null;
	let coming: Promise<unknown> | null = null;
	const fetchIt = () =>
		(coming ??= Promise.all([load(), texts && loadTexts(texts)]).then(
			([module]) => (here = module.default),
			(error: unknown) => {
				coming = null;
				throw error;
			},
		));
	function Lazy(props: P) {
		const [, turn] = useState(0);
		const [failed, fail] = useState(false);
		const isDrawn = here !== null; // it may come before the effect runs
		useEffect(() => {
			if (!isDrawn)
				fetchIt().then(
					() => turn((n) => n + 1),
					() => fail(true),
				);
		}, [failed]);
		if (here) {
			const Here = here;
			return <Here {...props} />;
		}
		if (!failed) return <p class="loading">{t("loading")}</p>;
		return (
			<p class="loading" role="alert">
				{t("part_failed")}{" "}
				<button type="button" onClick={() => fail(false)}>
					{t("try_again")}
				</button>
			</p>
		);
	}
	return Object.assign(Lazy, { preload: () => void fetchIt()?.catch(() => {}) });
}

const story = () => import("../story/all").then((m) => m.default);
const more = () => import("../board/more").then((m) => m.default);

export const SignIn = lazy(() => import("../pages/signin"), "pages");
export const Dashboard = lazy(() => import("../pages/dashboard"), "admin");
export const ProjectPages = lazy(() => import("../pages/project"), "admin");
export const Workspace = lazy(() => import("../pages/workspace"), "admin");
export const Profile = lazy(() => import("../pages/profile"), "admin");
export const Account = lazy(() => import("../pages/account"), "admin");
export const NoteList = lazy(() => import("../notes/list"), "admin");
export const FirstSteps = lazy(() => import("../board/first_steps"), "admin");
export const Missing = lazy(() => import("../pages/missing"), "pages");
export const Overview = lazy(() => import("../charts/overview"), "charts");
export const SearchPanel = lazy(() => more().then((m) => ({ default: m.SearchPanel })), "panels");
export const HistoryPanel = lazy(() => more().then((m) => ({ default: m.HistoryPanel })), "panels");
export const DonePanel = lazy(() => more().then((m) => ({ default: m.DonePanel })), "panels");
export const LabelsPanel = lazy(() => more().then((m) => ({ default: m.LabelsPanel })), "panels");
export const KeyHelp = lazy(() => more().then((m) => ({ default: m.KeyHelp })), "panels");
export const StoryForm = lazy(() => story().then((m) => ({ default: m.StoryForm })), "story");
export const StoryPage = lazy(() => story().then((m) => ({ default: m.StoryPage })), "story");
export const EpicPage = lazy(() => story().then((m) => ({ default: m.EpicPage })), "story");
export const EpicsPanel = lazy(() => story().then((m) => ({ default: m.EpicsPanel })), "story");
export const Markdown = lazy(() => import("../ui/markdown"));
export const NewLabel = lazy(() => import("../pages/new_label"), "admin");
export const PlanDialogs = lazy(() => import("../board/plan_dialogs"), "charts");
