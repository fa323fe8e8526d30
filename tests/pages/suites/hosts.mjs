// Checks in every kind of page that holds the component, but for modal dialogs, which are a suite of their own.
import { frames } from './hosts/frames.mjs';
import { odd } from './hosts/odd.mjs';
import { pages } from './hosts/pages.mjs';
import { places } from './hosts/places.mjs';

export const cases = { ...pages, ...places, ...frames, ...odd };
