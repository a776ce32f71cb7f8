/** Sends a file and tells how far it is: fetch cannot. */
import { ROOT, Refused, Unreached } from "./http";
import type * as api from "./types.gen";

export interface Upload {
	answer: Promise<api.FileAttachment>;
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
export function upload(project: number, file: File, progress: (part: number) => void): Upload {
	const request = new XMLHttpRequest();
	const answer = new Promise<api.FileAttachment>((resolve, reject) => {
		request.upload.onprogress = (event) => progress(event.lengthComputable ? event.loaded / event.total : 0);
		request.onerror = () => reject(new Unreached());
		request.onabort = () => reject(new Unreached());
		request.onload = () => {
			const body = parsed(request.responseText);
			if (request.status === 200) resolve(body as api.FileAttachment);
			else reject(new Refused(request.status, body, 0));
		};
	});
	const form = new FormData();
	form.append("file", file, file.name || "file");
	request.open("POST", `${ROOT}/projects/${project}/uploads`);
	request.setRequestHeader("X-Requested-With", "planwright");
	request.send(form);
	return { answer, cancel: () => request.abort() };
}
