/** A `ref` for the field to type in first; the `autofocus` attribute has no effect once the page has had a focus. */
export const focus = (node: HTMLElement | null): void => node?.focus();
