/**
 * What a board needs only once it is there, for live updates and for whoever does something with it, as one part that
 * is loaded behind the first panel.
 */
import { AboveDialog } from "./above_dialog";
import { AddStoryForm } from "./add_form";
import { BulkTools } from "./bulk_bar";
import { startDrags } from "./drag";
import { RejectDialog } from "./reject";
import startLive from "../model/live";

export default { AboveDialog, AddStoryForm, BulkTools, RejectDialog, startDrags, startLive };
