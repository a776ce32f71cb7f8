/** Asks why a story is rejected; the answer may be empty. */
import { useState } from "preact/hooks";
import { t } from "../text/i18n";
import { isKeyOf, POST } from "../app/keys";
import { keepText, readText } from "../model/drafts";
import { closeDialog, Dialog, DialogButtons } from "../ui/dialog";

interface Props {
	name: string;
	/** The key of what is typed: the page may be left before it is sent. */
	draft: string;
	reject: (comment: string) => void;
}

export function RejectDialog({ name, draft, reject }: Props) {
	const [text, setText] = useState(() => readText(draft, "comment"));
	const typing = (value: string) => {
		keepText(draft, "comment", value);
		setText(value);
	};
	const close = () => {
		typing("");
		closeDialog();
	};
	const submit = (event: Event) => {
		event.preventDefault();
		close();
		reject(text.trim());
	};
	return (
		<Dialog title={t("reject.title")} close={close}>
			<form onSubmit={submit}>
				<p>{name}</p>
				<label>
					{t("comment")}
					<textarea
						rows={4}
						autofocus
						value={text}
						onInput={(e) => typing(e.currentTarget.value)}
						onKeyDown={(e) => isKeyOf(POST, e) && submit(e)}
					/>
				</label>
				<DialogButtons submit={t("step.reject")} danger cancel={close} />
			</form>
		</Dialog>
	);
}
