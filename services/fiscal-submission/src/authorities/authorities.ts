import type { Authority } from '../submission/authority.ts';
import { sandboxAuthority } from './sandbox/sandbox.ts';

/** The adapters of all authorities that are served, by id. */
export const authoritiesOf = ({ simulatorUrl }: { simulatorUrl: string }): ReadonlyMap<string, Authority> =>
  new Map([sandboxAuthority(simulatorUrl)].map((authority) => [authority.id, authority]));
