/** Verifies webhooks of the service: requests that are signed by Standard Webhooks 1.0. */
export type WebhookRequest = {
    /**
     * body as it was received, before it is parsed
     */
    body: string | Uint8Array;
    /**
     * headers of the request, in any case
     */
    headers: Headers | Record<string, string | string[] | undefined>;
    /**
     * keys of the endpoint: `whsec_…` or `whpk_…`; several during a rotation
     */
    keys: string | string[];
    /**
     * current time; default: the clock of the system
     */
    now?: Date;
    /**
     * maximum difference between `now` and the time of the request in milliseconds; default 300,000
     */
    toleranceMs?: number;
};
export type WebhookEvent = {
    /**
     * the same for all attempts of an event: ignore an id that was processed before
     */
    id: string;
    /**
     * such as `verdict.flagged`
     */
    type: string;
    /**
     * time of the event
     */
    timestamp: Date;
    /**
     * the changed object
     */
    data: import('./generated.js').EventData;
};
export type WebhookKey = {
    version: 'v1' | 'v1a';
    algorithm: 'Ed25519' | 'HMAC';
    key: CryptoKey;
};
/**
 * Verifies a request to the platform's endpoint, and returns its event. The service sends an event again until the endpoint answers with
 * a status of 200 to 299, so one event may arrive several times.
 *
 * @param {WebhookRequest} request @returns {Promise<WebhookEvent>} rejects with a `VerdictError`
 */
export declare function verifyWebhook({ body, headers, keys, now, toleranceMs }: WebhookRequest): Promise<WebhookEvent>;
