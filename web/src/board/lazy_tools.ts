/**
 * What a board needs only once it is there, for live updates and for whoever does something with it, as one part that
 * is loaded behind the first panel.
 */
import { AboveDialog } from "./above_dialog";
import { AddStoryForm } from "./add_form";
import { BulkTools } from "./bulk_bar";
import { startDrags } from "./drag";
import { RejectDialog } from "./reject";
import { showPresence } from "./presence";
import { tellPresence } from "./tell_presence";
import followStream from "../model/live";

function startLive(): void {
	showPresence();
	followStream();
}

export default { AboveDialog, AddStoryForm, BulkTools, RejectDialog, startDrags, startLive, tellPresence };
