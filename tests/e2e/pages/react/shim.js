// What the markup of a page is made of.
export { createElement as __createElement, Fragment as __Fragment } from 'react';
