/** Finds a signer for the address in the host page. No wallet is asked to connect: only a connected wallet signs. */
export type VoightCheck = import('../../types/voight.js').VoightCheck;
export type Provider = {
    request: (call: {
        method: string;
        params?: unknown[];
    }) => Promise<any>;
};
/**
 * Returns the page's own `signMessage`, otherwise the first wallet that already holds the address, otherwise null.
 *
 * @param {VoightCheck} element
 * @returns {Promise<((message: string) => Promise<unknown>) | null>}
 */
export declare function findSigner(element: VoightCheck): Promise<((message: string) => Promise<unknown>) | null>;
