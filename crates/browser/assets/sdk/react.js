'use client';
/** `<voight-check>` as a React component, React 17 to 19. */
import { createElement, forwardRef, useEffect, useImperativeHandle, useRef } from 'react';
import './voight.js';

/** @typedef {import('./voight.js').VoightCheck} VoightElement */
/** @typedef {import('./voight.js').VoightProperties} Own */
/** @typedef {Own & Omit<import('react').HTMLAttributes<VoightElement>, keyof Own>} VoightCheckProps */

/** What an attribute can't carry is set on the element after every render, so that no callback is ever stale. */
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

/** Attributes that are called otherwise in React. */
const NAMES = { originSite: 'origin-site', eoaAddress: 'eoa-address', contextId: 'context-id', baseUrl: 'base-url', className: 'class' };

/** Everything else is an attribute, so that a page that a server renders has it, too. React's versions differ in what they make of
 * truths, so these are texts.
 * @param {Record<string, any>} props */
const attributes = ({ disabled, replay, ...others }) => {
  /** @type {Record<string, any>} */
  const found = { disabled: disabled ? 'true' : null, replay: replay === false ? 'false' : null };
  for (const name in others) {
    if (!PROPERTIES.includes(name)) found[NAMES[/** @type {keyof typeof NAMES} */ (name)] ?? name] = others[name];
  }
  return found;
};

/** A ref gives the element. */
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
