/** What a board needs only once somebody does something with it, as one part that is loaded behind the first panel. */
import { AboveDialog } from "./above_dialog";
import { AddStoryForm } from "./add_form";
import { BulkTools } from "./bulk_bar";
import { startDrags } from "./drag";
import { RejectDialog } from "./reject";

export default { AboveDialog, AddStoryForm, BulkTools, RejectDialog, startDrags };
