/** State of the component. `verified` means that a check was completed; it does not reveal the verdict. */
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

/** Error of the component. Rejections of `verify()` have these members as well. */
export interface VoightError {
  /** Code of the component's error table, `docs/reference/window-protocol.md`, section 4. */
  code: string;
  /** `true` if a retry can succeed. */
  retryable: boolean;
  /** Request id, by which the operator finds the request in the log; empty if no request was made. */
  reference: string;
}

/** Reason for which a check was cancelled: by the visitor, by `close()`, or because the page moved or removed the element. */
export interface VoightCancellation {
  reason: 'visitor' | 'page' | 'moved' | 'removed';
}

/** Texts of the parts that the component shows itself. The window has its own texts. */
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

/** Properties that the element and the React wrapper share. */
export interface VoightProperties {
  /** Account address of the user. While it is empty, a click asks for a wallet instead. A change ends an open window. */
  eoaAddress: string;
  /** Registered context. A change ends an open window. */
  contextId: string;
  /** URL of the page that hosts the component. Default: the page's origin. */
  originSite?: string;
  /** Origin of the service. Default: the origin of the component's own script. */
  baseUrl?: string;
  /** Colour theme; a change applies to an open window at once. */
  theme?: 'auto' | 'light' | 'dark';
  /** Language tag of the texts, such as `pt-BR`; a change applies to the next window. Default: the browser's languages. */
  locale?: string;
  /** Start of loading and counting: at the first sign of intent (default), immediately, or at the click. */
  preload?: 'intent' | 'mount' | 'open';
  /** `true` (default) to replay the child's own activation once after the check. */
  replayClick?: boolean;
  /** `true` to make the child behave as if it were not wrapped, for example to continue after a failed check. `verify()` still works. */
  disabled?: boolean;
  /** `true` to log events and state transitions in the console. */
  debug?: boolean;
  labels?: Partial<VoightLabels>;
  /** Session token that the platform's backend created for the address. */
  session?: string;
  /** Signs with the visitor's wallet like `personal_sign`. Default: an announced wallet that holds the address signs. */
  signMessage?: (message: string, account: { address: string }) => Promise<string>;
  /** Asks the platform's backend. The message of a rejection is shown, and the check ends as `declined`. */
  confirm?: (receipt: string) => Promise<unknown>;
  onVerified?: (receipt: string) => void;
  onDeclined?: (reason: string) => void;
  onError?: (error: VoightError) => void;
  onExpired?: () => void;
  onCancel?: (cancellation: VoightCancellation) => void;
  onStateChange?: (state: VoightState) => void;
  onWalletRequired?: () => void;
}

/** Names of the properties that are attributes; the value of an absent attribute is empty. */
type TextName = 'originSite' | 'eoaAddress' | 'contextId' | 'baseUrl' | 'theme' | 'locale' | 'preload' | 'session';

/** Names of the properties that are attributes without a value. */
type FlagName = 'disabled' | 'debug';

/** Properties of the element, except `replayClick`, which the element switches itself. */
export type VoightOwnProperties = Record<TextName, string> & Record<FlagName, boolean> & Omit<VoightProperties, TextName | FlagName | 'replayClick'>;

/** Attribute name of a property: `eoa-address` for `eoaAddress`. */
type Hyphenated<Name extends string> = Name extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? '' : '-'}${Lowercase<Head>}${Hyphenated<Rest>}`
  : Name;

/** Attributes of the element, for JSX and templates that name the element itself. */
export type VoightAttributes = { [Name in TextName as Hyphenated<Name>]?: string } & {
  'replay-click'?: 'true' | 'false';
  disabled?: boolean | '';
  debug?: boolean | '';
  id?: string;
  class?: string;
  slot?: string;
  children?: unknown;
};

/** Class of the element with its methods, declared by its module. */
export type { VoightCheck } from '../assets/sdk/voight.js';
import type { VoightCheck } from '../assets/sdk/voight.js';

declare global {
  interface HTMLElementTagNameMap {
    'voight-check': VoightCheck;
  }
}
