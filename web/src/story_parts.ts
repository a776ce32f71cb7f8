/** Stories, epics and what happened, as one part that is loaded behind the board: many small ones would weigh more. */
import "./board/doing";
import HistoryPanel from "./board/history_panel";
import EpicPage from "./epic/page";
import EpicsPanel from "./epic/epics_panel";
import StoryPage from "./story/page";
import * as preview from "./story/preview";
import { reveal } from "./story/reveal";
import NoteList from "./notes/list";
import Missing from "./pages/missing";
import StoryForm from "./story/story";

export default { Missing, NoteList, EpicPage, EpicsPanel, HistoryPanel, StoryForm, StoryPage, preview, reveal };
