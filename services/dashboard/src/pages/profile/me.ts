import { answered } from '@svc/client/console';
import { general } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { type Me, setSession } from '../../session/session.ts';

export type User = Me['user'];

/** Changes the signed-in person, and shows what they are now. */
export async function changeMe(body: Resource<'UpdateMe'>): Promise<void> {
  setSession({ state: 'in', me: await answered(general.PATCH('/console/me', { body })) });
}
