/** What the component is doing. `verified` says that a check was completed, never what was found. */
export type VoightState =
  | 'idle'
  | 'opening'
  | 'sign'
  | 'checking'
  | 'press'
  | 'confirming'
  | 'verified'
  | 'declined'
  | 'failed'
  | 'expired';

/** What went wrong. Errors that `verify()` rejects with have these members, too. */
export interface VoightError {
  /** A code of the component's error table, `docs/api/window.md`, section 4. */
  code: string;
  /** Whether trying again can help. */
  retryable: boolean;
  /** The request id, to be found in the operator's log; empty when no request was made. */
  reference: string;
}

/** Texts of the parts that the component shows itself. The window's own texts come with the window. */
export interface VoightLabels {
  title: string;
  opening: string;
  confirming: string;
  verified: string;
  declined: string;
  failed: string;
  blocked: string;
  reference: string;
  retry: string;
  resume: string;
  close: string;
}

/** The properties that the element and the React wrapper share. */
export interface VoightProperties {
  /** Address of the page that hosts the component. */
  originSite: string;
  /** The user's account address; while it is empty a click asks for a wallet instead. Changing it ends an open window. */
  eoaAddress: string;
  /** A registered context. Changing it ends an open window. */
  contextId: string;
  /** Origin of the service; the origin of the component's own script unless given. */
  baseUrl?: string;
  /** Taken up at once by an open window, too. */
  theme?: 'auto' | 'light' | 'dark';
  /** Language tag of the texts, such as `pt-BR`, taken up by the next window; the browser's languages unless given. */
  locale?: string;
  /** When loading and counting start: at the first sign of intent (default), at once, or at the click. */
  collect?: 'intent' | 'mount' | 'open';
  /** Whether the child's own click runs once after the check; true unless given. */
  replay?: boolean;
  /** While true the child behaves as if it were not wrapped: the way to go on where a check failed. `verify()` works. */
  disabled?: boolean;
  labels?: Partial<VoightLabels>;
  /** Token by which the platform's backend vouches for the address. */
  session?: string;
  /** Signs with the visitor's wallet as `personal_sign` does; a wallet that announces itself and holds the address is asked unless given. */
  signMessage?: (message: string, account: { address: string }) => Promise<string>;
  /** Asks the platform's backend; a rejection shows its message and ends in `declined`. */
  confirm?: (receipt: string) => Promise<unknown>;
  onVerified?: (receipt: string) => void;
  onDeclined?: (reason: string) => void;
  onError?: (error: VoightError) => void;
  onExpired?: () => void;
  onCancel?: () => void;
  onStateChange?: (state: VoightState) => void;
  onWalletRequired?: () => void;
}

export declare class VoightCheck extends HTMLElement {
  originSite: string;
  eoaAddress: string;
  contextId: string;
  baseUrl: string;
  theme: string;
  locale: string;
  collect: string;
  session: string;
  replay: boolean;
  disabled: boolean;
  labels?: VoightProperties['labels'];
  signMessage?: VoightProperties['signMessage'];
  confirm?: VoightProperties['confirm'];
  onVerified?: VoightProperties['onVerified'];
  onDeclined?: VoightProperties['onDeclined'];
  onError?: VoightProperties['onError'];
  onExpired?: VoightProperties['onExpired'];
  onCancel?: VoightProperties['onCancel'];
  onStateChange?: VoightProperties['onStateChange'];
  onWalletRequired?: VoightProperties['onWalletRequired'];
  readonly state: VoightState;
  /** The receipt of the last completed check, else null. It never carries a finding. */
  readonly receipt: string | null;
  /**
   * Runs a check without a click to run again; where one is under way, gives that one. Rejects with an error that carries
   * `code`, `retryable` and `reference`, once the dialog is closed: a visitor may try again in it.
   */
  verify(): Promise<string>;
  /** Begins anew, in any state: closes the dialog and forgets the receipt. */
  reset(): void;
  /** Gives up what is under way, as the visitor can. */
  close(): void;
  /** Loads the window behind the scenes, so that a click finds it ready. */
  preload(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'voight-check': VoightCheck;
  }
}
