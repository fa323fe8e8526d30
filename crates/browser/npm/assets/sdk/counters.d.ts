/** Counts input events in the host page: numbers only, never positions, keys or texts. */
export type HostCounts = Record<'ms' | 'move' | 'down' | 'up' | 'click' | 'key' | 'touch' | 'wheel' | 'scroll' | 'untrusted', number>;
/** Returns the counters, which all elements of a page share.
 * @returns {() => HostCounts} */
export declare function counters(): () => HostCounts;
