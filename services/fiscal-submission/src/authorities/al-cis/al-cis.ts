import type { Authority } from '../../submission/authority.ts';
import { albania } from './albania.ts';
import { cis, type CisOptions } from './cis.ts';
import type { CisDraft } from './record.ts';

/** The adapter of Albania's Central Information System: Fiscalization Service, Technical Specification v07, version 3 of its schema. */
export const alCis = (options: CisOptions): Authority<CisDraft> => cis(albania, options);
