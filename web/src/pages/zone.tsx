/** A time zone, by its name in the tz database. */
import { t } from "../text/i18n";

export function ZoneField({ value }: { value: string }) {
	const known = Intl.supportedValuesOf("timeZone");
	return (
		<label>
			{t("field.time_zone")}
			<input name="time_zone" required defaultValue={value} list="zones" autocomplete="off" spellcheck={false} />
			<datalist id="zones">
				{[...new Set(["Etc/UTC", ...known])].map((zone) => (
					<option key={zone} value={zone} />
				))}
			</datalist>
		</label>
	);
}
