/** Stories, epics and what happened, as one part that is loaded behind the board: many small ones would weigh more. */
import "./board/doing";
import HistoryPanel from "./board/history_panel";
import EpicPage from "./epic/page";
import EpicsPanel from "./epic/epics_panel";
import StoryPage from "./story/page";
import { reveal } from "./story/reveal";
import StoryForm from "./story/story";

export default { EpicPage, EpicsPanel, HistoryPanel, StoryForm, StoryPage, reveal };
