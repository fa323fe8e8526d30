import './voight.js';
export type VoightElement = import('./voight.js').VoightCheck;
export type Own = import('./voight.js').VoightProperties;
export type VoightCheckProps = Own & Omit<import('react').HTMLAttributes<VoightElement>, keyof Own>;
/** React component. A ref returns the element. */
export declare const VoightCheck: import("react").ForwardRefExoticComponent<import("../../types/voight.js").VoightProperties & Omit<import("react").HTMLAttributes<import("./voight.js").VoightCheck>, keyof import("../../types/voight.js").VoightProperties> & import("react").RefAttributes<import("./voight.js").VoightCheck>>;
