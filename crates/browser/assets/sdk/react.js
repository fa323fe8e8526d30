'use client';
/** `<voight-check>` as a React component, React 17 to 19. */
import { createElement, forwardRef, useEffect, useImperativeHandle, useRef } from 'react';
import './voight.js';

/** @typedef {import('./voight.js').VoightCheck} VoightElement */
/** @typedef {import('./voight.js').VoightProperties} Own */
/** @typedef {Own & Omit<import('react').HTMLAttributes<VoightElement>, keyof Own>} VoightCheckProps */

/** Properties that an attribute cannot express. They are set on the element after every render, so that callbacks are current. */
const PROPERTIES = [
  'labels',
  'confirm',
  'signMessage',
  'onVerified',
  'onDeclined',
  'onError',
  'onExpired',
  'onCancel',
  'onStateChange',
  'onWalletRequired',
];

/** Attribute names that differ from the names in React. */
const ATTRIBUTE_NAMES = { originSite: 'origin-site', eoaAddress: 'eoa-address', contextId: 'context-id', baseUrl: 'base-url', className: 'class' };

/** Returns the attributes for the remaining properties, so that a server-rendered page has them as well. React's versions handle
 * booleans differently, so they are passed as strings.
 * @param {Record<string, any>} props */
const attributes = ({ disabled, debug, replayClick, ...others }) => {
  /** @type {Record<string, any>} */
  const result = { disabled: disabled ? 'true' : null, debug: debug ? 'true' : null, 'replay-click': replayClick === false ? 'false' : null };
  for (const name in others) {
    if (!PROPERTIES.includes(name)) result[ATTRIBUTE_NAMES[/** @type {keyof typeof ATTRIBUTE_NAMES} */ (name)] ?? name] = others[name];
  }
  return result;
};

/** React component. A ref returns the element. */
export const VoightCheck = forwardRef(
  /** @param {VoightCheckProps} props @param {import('react').ForwardedRef<VoightElement>} ref */
  function VoightCheck(props, ref) {
    const element = useRef(/** @type {any} */ (null));
    useImperativeHandle(ref, () => element.current, []);
    useEffect(() => {
      for (const name of PROPERTIES) element.current[name] = /** @type {any} */ (props)[name];
    });
    return createElement('voight-check', { ...attributes(props), ref: element });
  },
);
