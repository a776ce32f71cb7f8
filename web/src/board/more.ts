/** Panels that are not open at the first time, and the list of keys, as one part: it is loaded behind the board. */
import KeyHelp from "./key_help";
import DonePanel from "./done_panel";
import LabelsPanel from "./labels_panel";
import SearchPanel from "./search_panel";

export default { DonePanel, KeyHelp, LabelsPanel, SearchPanel };
