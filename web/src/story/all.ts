/** Stories and epics as one part that is loaded behind the board: many small ones would weigh more. */
import EpicPage from "../epic/page";
import EpicsPanel from "../epic/epics_panel";
import StoryPage from "./page";
import { reveal } from "./reveal";
import StoryForm from "./story";

export default { EpicPage, EpicsPanel, StoryForm, StoryPage, reveal };
