/** Counts input events in the host page: numbers only, never positions, keys or texts. */
export type Kind = 'move' | 'down' | 'up' | 'click' | 'key' | 'touch' | 'wheel' | 'scroll';
export type HostCounts = Record<'ms' | Kind | 'untrusted', number>;
/** Starts counting, and returns the time at which it started. All elements of a page share the counts. */
export declare function startCounting(): number;
/** Returns the counts so far; starts counting if it has not started. @returns {HostCounts} */
export declare function hostCounts(): HostCounts;
