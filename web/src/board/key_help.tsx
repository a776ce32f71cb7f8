/** The table of shortcuts, as a dialog. */
import { useState } from "preact/hooks";
import { closeDialog, Dialog } from "../ui/dialog";
import { t } from "../text/i18n";
import { setSingleKeys, SHORTCUTS, singleKeys } from "../app/keys";

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
					{SHORTCUTS.map((s) => (
						<tr key={s.action}>
							<th scope="row">
								<kbd>{name(s.keys)}</kbd>
							</th>
							<td>{t(s.text)}</td>
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
