/** The keys of the table of actions, as a dialog. */
import { useState } from "preact/hooks";
import { closeDialog, Dialog } from "../ui/dialog";
import { t } from "../text/i18n";
import { setSingleKeys, singleKeys } from "../app/keys";
import { ALL } from "./actions";

function name(keys: readonly string[]): string {
	const shown = keys.length > 3 ? `${keys[0]} – ${keys[keys.length - 1]}` : keys.join("  ");
	return shown.replace(/ArrowUp/g, "↑").replace(/ArrowDown/g, "↓");
}

export default function KeyHelp() {
	const [on, turn] = useState(singleKeys());
	return (
		<Dialog title={t("keys")} close={closeDialog} class="key-help">
			<table>
				<tbody>
					{ALL.filter(({ keys }) => keys.length > 0).map(({ keys, words }) => (
						<tr key={words}>
							<th scope="row">
								<kbd>{name(keys)}</kbd>
							</th>
							<td>{t(words)}</td>
						</tr>
					))}
				</tbody>
			</table>
			<label class="check">
				<input
					type="checkbox"
					checked={on}
					onChange={(event) => {
						setSingleKeys(event.currentTarget.checked);
						turn(event.currentTarget.checked);
					}}
				/>
				{t("keys.single")}
			</label>
		</Dialog>
	);
}
