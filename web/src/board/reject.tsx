/** Asks why a story is rejected; the answer may be empty. */
import { useState } from "preact/hooks";
import { t } from "../text/i18n";
import { isKeyOf, POST } from "../app/keys";
import { closeDialog, Dialog, DialogButtons } from "../ui/dialog";

export function RejectDialog({ name, reject }: { name: string; reject: (comment: string) => void }) {
	const [text, setText] = useState("");
	const submit = (event: Event) => {
		event.preventDefault();
		reject(text.trim());
	};
	return (
		<Dialog title={t("reject.title")} close={closeDialog}>
			<form onSubmit={submit}>
				<p>{name}</p>
				<label>
					{t("comment")}
					<textarea
						rows={4}
						autofocus
						value={text}
						onInput={(e) => setText(e.currentTarget.value)}
						onKeyDown={(e) => isKeyOf(POST, e) && submit(e)}
					/>
				</label>
				<DialogButtons submit={t("step.reject")} danger />
			</form>
		</Dialog>
	);
}
