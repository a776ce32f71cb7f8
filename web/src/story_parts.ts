/** Stories, epics and activities, as one part that is loaded after the board: many small ones would be larger. */
import "./board/lazy_tools";
import HistoryPanel from "./board/history_panel";
import EpicPage from "./epic/page";
import EpicsPanel from "./epic/epics_panel";
import StoryPage from "./story/page";
import * as preview from "./story/preview";
import { reveal } from "./story/reveal";
import Missing from "./pages/missing";
import StoryForm from "./story/story";

export default { Missing, EpicPage, EpicsPanel, HistoryPanel, StoryForm, StoryPage, preview, reveal };
