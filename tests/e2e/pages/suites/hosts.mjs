// Checks in every kind of host page, except for modal dialogs, which are a separate suite.
import { frames } from './hosts/frames.mjs';
import { odd } from './hosts/odd.mjs';
import { pages } from './hosts/pages.mjs';
import { places } from './hosts/places.mjs';

export const cases = { ...pages, ...places, ...frames, ...odd };
