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
  /** A code of the component's error table, `docs/reference/window-protocol.md`, section 4. */
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

/** What is read and written as an attribute; a text that is not there is empty. */
type TextName = 'originSite' | 'eoaAddress' | 'contextId' | 'baseUrl' | 'theme' | 'locale' | 'collect' | 'session';

/** The properties as the element has them, but for the two that it switches itself: `disabled` and `replay`. */
export type VoightOwnProperties = Record<TextName, string> & Omit<VoightProperties, TextName | 'disabled' | 'replay'>;

/** `eoaAddress` as HTML writes it: `eoa-address`. */
type Hyphenated<Name extends string> = Name extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? '' : '-'}${Lowercase<Head>}${Hyphenated<Rest>}`
  : Name;

/** The element's attributes, for JSX and templates that name the element itself. */
export type VoightAttributes = { [Name in TextName as Hyphenated<Name>]?: string } & {
  replay?: 'true' | 'false';
  disabled?: boolean | '';
  id?: string;
  class?: string;
  slot?: string;
  children?: unknown;
};

/** The element's class, with its methods, is declared by its module. */
export type { VoightCheck } from '../assets/sdk/voight.js';
import type { VoightCheck } from '../assets/sdk/voight.js';

declare global {
  interface HTMLElementTagNameMap {
    'voight-check': VoightCheck;
  }
}
