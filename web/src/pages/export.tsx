/** The way out: everything of a project, or its stories as a table. */
import { useState } from "preact/hooks";
import { ROOT } from "../api/http";
import { t } from "../app/i18n";
import { Block } from "./kit";
import { ProjectFrame, type Here, type ProjectProps } from "./project_frame";

function Csv({ at }: { at: Here }) {
	const [filter, setFilter] = useState("");
	const query = filter.trim() ? `?filter=${encodeURIComponent(filter.trim())}` : "";
	return (
		<Block title={t("export.csv")} hint={t("export.csv_hint")}>
			<div class="row-form">
				<label>
					{t("export.filter")}
					<input
						value={filter}
						placeholder="label:shop state:unstarted"
						onInput={(event) => setFilter(event.currentTarget.value)}
					/>
				</label>
				<a class="button" href={`${ROOT}${at.path}/stories.csv${query}`} download>
					{t("export.csv_get")}
				</a>
			</div>
		</Block>
	);
}

function Zip({ at }: { at: Here }) {
	return (
		<Block title={t("export.zip")} hint={t("export.zip_hint")}>
			{at.isOwner ? (
				<p>
					<a class="button" href={`${ROOT}${at.path}/export.zip`} download>
						{t("export.zip_get")}
					</a>
				</p>
			) : (
				<p>{t("members.owners_do")}</p>
			)}
		</Block>
	);
}

export default function ExportPage({ project }: ProjectProps) {
	return (
		<ProjectFrame project={project} part="export">
			{(at) => (
				<>
					<Zip at={at} />
					<Csv at={at} />
				</>
			)}
		</ProjectFrame>
	);
}
