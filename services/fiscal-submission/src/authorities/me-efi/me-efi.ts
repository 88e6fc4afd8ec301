import type { Authority } from '../../submission/authority.ts';
import { cis, type CisOptions } from '../al-cis/cis.ts';
import type { CisDraft } from '../al-cis/record.ts';
import { montenegro } from './montenegro.ts';

/** The adapter of Montenegro's fiscal service: electronic fiscalization (EFI), version 1 of its schema. */
export const meEfi = (options: CisOptions): Authority<CisDraft> => cis(montenegro, options);
