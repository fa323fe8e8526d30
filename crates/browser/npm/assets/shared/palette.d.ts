/**
 * Applies the page's own colours if texts remain readable in them. The component reads them from custom properties of its
 * element and sends them to the window as `#rrggbb`; both use this module.
 */
export type Colours = Partial<Record<'accent' | 'on-accent' | 'surface' | 'ink', string>>;
/** Returns the contrast ratio of two colours. @param {string} one @param {string} other @returns {number} 1 to 21 */
export declare function contrast(one: string, other: string): number;
/**
 * Sets the colours that a page chose, and colours derived from them, on an element that has the default colours as variables.
 * Colours that are not readable are ignored, and the defaults stay.
 *
 * @param {HTMLElement} element
 * @param {unknown} colours untrusted value
 */
export declare function applyColours(element: HTMLElement, colours: unknown): void;
