/** Pages of developers, on which error screens show the code as well. */
/** Returns `true` for the origin of a page on a loopback address. @param {string} origin */
export declare const isLoopback: (origin: string) => boolean;
