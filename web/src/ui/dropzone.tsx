/** Accepts files that are dropped on its content. */
import type { HTMLAttributes, Ref } from "preact";
import { useState } from "preact/hooks";

interface DropZoneProps extends Omit<HTMLAttributes<HTMLDivElement>, "class"> {
	class: string;
	files: (files: File[]) => void;
	/** Shown while files are dragged over it. */
	hint: string;
	node?: Ref<HTMLDivElement>;
	off?: boolean;
}

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

export function DropZone({ class: style, files, hint, node, off, children, ...rest }: DropZoneProps) {
	const [over, hover] = useState(false);
	return (
		<div
			{...rest}
			ref={node ?? null}
			class={over ? `${style} is-over` : style}
			onDragOver={(event) => {
				if (off || !hasFiles(event)) return;
				event.preventDefault();
				hover(true);
			}}
			onDragLeave={(event) => {
				if (!event.currentTarget.contains(event.relatedTarget as Node | null)) hover(false);
			}}
			onDrop={(event) => {
				if (off || !hasFiles(event)) return;
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
