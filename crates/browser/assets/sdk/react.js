'use client';
/** `<voight-check>` as a React component, React 17 to 19. */
import { createElement, forwardRef, useEffect, useImperativeHandle, useRef } from 'react';
import './voight.js';

/** @typedef {import('../../types/voight.js').VoightCheck} VoightElement */
/** @typedef {import('../../types/react.js').VoightCheckProps} Props */

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

/** @param {Record<string, any>} props @returns {Record<string, string>} */
const attributes = (props) => {
  /** @type {Record<string, string>} */
  const found = {};
  for (const [name, value] of Object.entries(props)) {
    const absent = value == null || (name === 'disabled' && !value) || name === 'children';
    if (absent || PROPERTIES.includes(name)) continue;
    found[name.replace(/[A-Z]/g, (letter) => '-' + letter.toLowerCase())] = String(value);
  }
  return found;
};

export const VoightCheck = forwardRef(
  /** @param {Props} props @param {import('react').Ref<VoightElement>} ref */
  function VoightCheck(props, ref) {
    const element = useRef(/** @type {any} */ (null));
    useImperativeHandle(ref, () => element.current);
    useEffect(() => {
      for (const name of PROPERTIES) element.current[name] = /** @type {any} */ (props)[name];
    });
    return createElement('voight-check', { ...attributes(props), ref: element }, props.children);
  },
);
