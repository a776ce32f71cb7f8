/** Where the parts are that are loaded when they are first shown. Each page is a line here and one in main.tsx. */
import { lazy } from "./app/lazy";
import { live } from "./model/hints";
import type { ProjectPage } from "./app/router";
import { KeyHelp, Missing, NoteList, Palette } from "./app/lazy_parts";
import {
	AboveDialog,
	AddStoryForm,
	BulkTools,
	DonePanel,
	dragging,
	EpicsPanel,
	FirstSteps,
	HistoryPanel,
	LabelsPanel,
	NewLabel,
	PlanDialogs,
	previewing,
	RejectDialog,
	revealing,
	SearchHelp,
	SearchPanel,
	SeveralStories,
	StoryForm,
	telling,
	watching,
} from "./board/lazy_parts";

// Small parts that are shown together share a file: many small files would be larger in total.
const more = () => import("./board/lazy_panels").then((m) => m.default);
const doing = () => import("./board/lazy_tools").then((m) => m.default);
const pages = () => import("./pages/lazy_pages").then((m) => m.default);
const story = () => import("./story_parts").then((m) => m.default);

KeyHelp.isAt(() => more().then((m) => ({ default: m.KeyHelp })));
Palette.isAt(() => more().then((m) => ({ default: m.Palette })));
Missing.isAt(() => story().then((m) => ({ default: m.Missing })));
NoteList.isAt(() => more().then((m) => ({ default: m.NoteList })));

AboveDialog.isAt(() => doing().then((m) => ({ default: m.AboveDialog })));
AddStoryForm.isAt(() => doing().then((m) => ({ default: m.AddStoryForm })));
BulkTools.isAt(() => doing().then((m) => ({ default: m.BulkTools })));
RejectDialog.isAt(() => doing().then((m) => ({ default: m.RejectDialog })));
live.load = () => doing().then((m) => m.startLive);
telling.load = () => doing().then((m) => m.tellPresence);
dragging.load = () => doing().then((m) => m.startDrags);

DonePanel.isAt(() => more().then((m) => ({ default: m.DonePanel })));
EpicsPanel.isAt(() => story().then((m) => ({ default: m.EpicsPanel })));
FirstSteps.isAt(() => more().then((m) => ({ default: m.FirstSteps })));
HistoryPanel.isAt(() => story().then((m) => ({ default: m.HistoryPanel })));
LabelsPanel.isAt(() => more().then((m) => ({ default: m.LabelsPanel })));
NewLabel.isAt(() => more().then((m) => ({ default: m.NewLabel })));
PlanDialogs.isAt(() => more().then((m) => ({ default: m.PlanDialogs })));
SearchHelp.isAt(() => more().then((m) => ({ default: m.SearchHelp })));
SearchPanel.isAt(() => more().then((m) => ({ default: m.SearchPanel })));
SeveralStories.isAt(() => more().then((m) => ({ default: m.SeveralStories })));
StoryForm.isAt(() => story().then((m) => ({ default: m.StoryForm })));
previewing.load = () => story().then((m) => m.preview.turn);
watching.load = () => story().then((m) => m.preview.watch);
revealing.load = () => story().then((m) => m.reveal);

export const Account = lazy<{ account?: number | undefined; audit?: boolean | undefined }>(
	() => pages().then((m) => ({ default: m.Account })),
	"admin",
);
export const Dashboard = lazy<object>(() => pages().then((m) => ({ default: m.Dashboard })), "admin");
export const Enrol = lazy<object>(() => pages().then((m) => ({ default: m.Enrol })), "admin");
export const EpicPage = lazy<{ epic: number }>(() => story().then((m) => ({ default: m.EpicPage })), "story");
export const Profile = lazy<object>(() => pages().then((m) => ({ default: m.Profile })), "admin");
export const ProjectPages = lazy<{ project: number; part: ProjectPage }>(
	() => pages().then((m) => ({ default: m.ProjectPages })),
	"admin",
);
export const SignIn = lazy(() => import("./pages/signin"), "pages");
export const StoryPage = lazy<{ story: number; project?: number | undefined }>(
	() => story().then((m) => ({ default: m.StoryPage })),
	"story",
);
export const Workspace = lazy<{ workspace: number }>(() => pages().then((m) => ({ default: m.Workspace })), "admin");
