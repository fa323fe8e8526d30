/** Pages of developers, on which error screens show the code as well. */

/** Returns `true` for the origin of a page on a loopback address. @param {string} origin */
export const isLoopback = (origin) => /^https?:\/\/(localhost|[^/]+\.localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(origin);
