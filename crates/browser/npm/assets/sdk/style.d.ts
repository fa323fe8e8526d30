/** Style sheet of the dialog: constructed, so that the strictest content security policy of a page allows it. */
/** @returns {CSSStyleSheet} the style sheet that all elements of the page share */
export declare function dialogStyleSheet(): CSSStyleSheet;
