import type { ForwardRefExoticComponent, ReactNode, RefAttributes } from 'react';
import type { VoightCheck as Element, VoightProperties } from './voight.js';

export type VoightCheckProps = VoightProperties & { children?: ReactNode };

/** `<voight-check>` as a React component; a ref gives the element. React 17 to 19. */
export declare const VoightCheck: ForwardRefExoticComponent<VoightCheckProps & RefAttributes<Element>>;
