/** Listens to events, whose names are separated by spaces, until the returned function is called. */
export function listen(
	target: EventTarget,
	names: string,
	act: (event: never) => void,
	options?: AddEventListenerOptions,
): () => void {
	const all = names.split(" ");
	for (const name of all) target.addEventListener(name, act as EventListener, options);
	return () => {
		for (const name of all) target.removeEventListener(name, act as EventListener, options);
	};
}

/** Ends several things. */
export const stopAll =
	(...stops: readonly (() => unknown)[]) =>
	(): void => {
		for (const stop of stops) stop();
	};
