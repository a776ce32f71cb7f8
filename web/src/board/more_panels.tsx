/** The panels that are not open at first: what is done, epics, labels. Each is loaded when it is shown. */
import { lazy } from "../app/parts";

export const DonePanel = lazy(() => import("./done_panel"));
export const EpicsPanel = lazy(() => import("./epics_panel"));
export const LabelsPanel = lazy(() => import("./labels_panel"));
