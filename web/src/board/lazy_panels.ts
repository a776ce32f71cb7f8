/** What a board does not show at the first time, as one part that is loaded behind it: many small ones would weigh more. */
import DonePanel from "./done_panel";
import FirstSteps from "./first_steps";
import KeyHelp from "./key_help";
import LabelsPanel from "./labels_panel";
import NewLabel from "./new_label";
import Palette from "./palette";
import PlanDialogs from "./plan_dialogs";
import SearchHelp from "./search_help";
import SearchPanel from "./search_panel";
import SeveralStories from "./several_stories";
import NoteList from "../notes/list";

export default {
	DonePanel,
	FirstSteps,
	KeyHelp,
	LabelsPanel,
	NewLabel,
	NoteList,
	Palette,
	PlanDialogs,
	SearchHelp,
	SearchPanel,
	SeveralStories,
};
