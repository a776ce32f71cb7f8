/** Files: those of a comment, and those that are being uploaded. */
import { formatNumber, t } from "../text/i18n";
import type * as api from "../api/types.gen";
import type { Sending, Uploads } from "./uploads";

export function fileSize(bytes: number): string {
	if (bytes < 1024) return `${formatNumber(bytes)} B`;
	const kib = bytes / 1024;
	return kib < 1024 ? `${formatNumber(Math.round(kib))} KiB` : `${formatNumber(Math.round(kib / 102.4) / 10)} MiB`;
}

/** Pictures are shown as thumbnails. */
export function File({ file }: { file: api.FileAttachment }) {
	const name = file.filename ?? "";
	const href = `${file.download_url}${file.thumbnailable ? "?inline=true" : ""}`;
	return (
		<a class="file" href={href} target="_blank" rel="noopener">
			{file.thumbnailable && file.thumbnail_url !== "#" && <img src={file.thumbnail_url} alt="" loading="lazy" />}
			<span>{name}</span> <span class="hint">{fileSize(file.size ?? 0)}</span>
		</a>
	);
}

function Line({ sending, uploads }: { sending: Sending; uploads: Uploads }) {
	const { file, part, problem, done } = sending;
	return (
		<li class="line">
			{done?.thumbnailable && <img class="thumb" src={done.thumbnail_url} alt="" />}
			<span class="line-text">
				{file.name} <span class="hint">{fileSize(file.size)}</span>
				{problem && <span class="problem"> {problem}</span>}
				{!done && !problem && <progress max={1} value={part} aria-label={t("file.progress", { name: file.name })} />}
			</span>
			{problem && (
				<button type="button" onClick={() => uploads.again(sending)}>
					{t("try_again")}
				</button>
			)}
			<button
				type="button"
				class="quiet icon-only"
				aria-label={t("file.remove", { name: file.name })}
				onClick={() => uploads.remove(sending.id)}
			>
				×
			</button>
		</li>
	);
}

export function UploadList({ uploads }: { uploads: Uploads }) {
	if (uploads.list.value.length === 0) return null;
	return (
		<>
			<ul class="part-lines">
				{uploads.list.value.map((sending) => (
					<Line key={sending.id} sending={sending} uploads={uploads} />
				))}
			</ul>
			<p class="hint">{t("file.not_kept")}</p>
		</>
	);
}
