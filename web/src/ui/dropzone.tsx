/** Takes files that are dropped on what is inside. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

interface DropZoneProps {
	files: (files: File[]) => void;
	/** Said while files hover. */
	hint: string;
	children: ComponentChildren;
}

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

export function DropZone({ files, hint, children }: DropZoneProps) {
	const [over, hover] = useState(false);
	return (
		<div
			class={over ? "drop is-over" : "drop"}
			onDragOver={(event) => {
				if (!hasFiles(event)) return;
				event.preventDefault();
				hover(true);
			}}
			onDragLeave={(event) => {
				if (!event.currentTarget.contains(event.relatedTarget as Node | null)) hover(false);
			}}
			onDrop={(event) => {
				if (!hasFiles(event)) return;
				event.preventDefault();
				hover(false);
				files([...(event.dataTransfer?.files ?? [])]);
			}}
		>
			{children}
			{over && <p class="drop-hint">{hint}</p>}
		</div>
	);
}
