/** Parts that may be shown anywhere. */
import { lazy, part } from "./lazy";

export const KeyHelp = part("panels");
export const Markdown = lazy(() => import("../ui/markdown"));
export const Palette = part("panels");
export const Missing = part("pages");
export const NoteList = part<{ close: () => void }>("admin");
