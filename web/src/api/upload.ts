/** Sends files and reports progress, which fetch cannot. */
import { ROOT, Refused, Unreached } from "./http";
import type * as api from "./types.gen";

export interface Upload<T> {
	answer: Promise<T>;
	cancel: () => void;
}

function parsed(text: string): object {
	try {
		return JSON.parse(text) as object;
	} catch {
		return {};
	}
}

/** `progress` gets 0 to 1. */
export function send<T>(path: string, form: FormData, progress: (part: number) => void): Upload<T> {
	const request = new XMLHttpRequest();
	const answer = new Promise<T>((resolve, reject) => {
		request.upload.onprogress = (event) => progress(event.lengthComputable ? event.loaded / event.total : 0);
		request.onerror = () => reject(new Unreached());
		request.onabort = () => reject(new Unreached());
		request.onload = () => {
			const body = parsed(request.responseText);
			if (request.status === 200) return resolve(body as T);
			reject(new Refused(request.status, body, Number(request.getResponseHeader("Retry-After") ?? 0)));
		};
	});
	request.open("POST", ROOT + path);
	request.setRequestHeader("X-Requested-With", "planwright");
	request.send(form);
	return { answer, cancel: () => request.abort() };
}

/** Uploads a file for a comment. */
export function upload(project: number, file: File, progress: (part: number) => void): Upload<api.FileAttachment> {
	const form = new FormData();
	form.append("file", file, file.name || "file");
	return send(`/projects/${project}/uploads`, form, progress);
}
