/** Requests for a verdict: redeeming the receipt and looking up the address. */
export type Service = import('./call.js').Service;
export type Receipt = import('./receipt.js').Receipt;
export type Subject = import('./receipt.js').Subject;
export type Lookup = {
    /**
     * `unknown`: no evidence for either, the score is 0
     */
    verdict: 'human' | 'bot' | 'unknown';
    /**
     * certainty of the verdict: high near 1, low near 0
     */
    score: number;
};
/**
 * Redeems a receipt. A bot that claims without having passed the window has no valid one.
 *
 * @param {Service} service @param {Record<string, string>} headers @param {string} token @param {Subject} subject
 * @returns {Promise<Receipt>}
 */
export declare function redeem(service: Service, headers: Record<string, string>, token: string, subject: Subject): Promise<Receipt>;
/**
 * Looks up the verdict. This request is billed.
 *
 * @param {Service} service @param {Record<string, string>} headers @param {Subject} subject @returns {Promise<Lookup>}
 */
export declare function requestVerdict(service: Service, headers: Record<string, string>, { eoaAddress, contextId }: Subject): Promise<Lookup>;
