/** A `ref` of the field that one types in first; the attribute does nothing once the page had a focus. */
export const focus = (node: HTMLElement | null): void => node?.focus();
