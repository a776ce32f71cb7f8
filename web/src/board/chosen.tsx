/** What can be done with the selection, while there is one. */
import { useEffect } from "preact/hooks";
import { useBoard } from "./context";
import { BulkTools } from "./lazy_parts";

export function BulkBar() {
	const chooses = useBoard().selection.size.value > 0;
	// Messages stand above the bar.
	useEffect(() => {
		document.body.classList.toggle("is-choosing", chooses);
		return () => document.body.classList.remove("is-choosing");
	}, [chooses]);
	return chooses ? <BulkTools /> : null;
}
