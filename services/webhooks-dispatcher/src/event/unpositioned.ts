import { UniqueViolation } from '@svc/document-store';
import { lastPosition, type Events, type Tenant } from './event.ts';

/** Rows that get their positions at once: each is a write of its own. */
const AT_ONCE = 100;

/**
 * until 0.3: release 0.1.0 stores events without a position in the log. Gives positions to some of them, in the order of the index, which is that of storing on
 * both engines. They come behind what is stored, so that nothing changes below a position that was read. True: none is left.
 */
export async function positionRest(events: Events, { account, env }: Tenant): Promise<boolean> {
  const unpositioned = async (limit: number): Promise<string[]> => {
    const { docs, left } = await events.page({ account, env, log_position: null }, { limit }, 1);
    return [...docs.map(({ _id }) => _id), ...left];
  };
  const ids = await unpositioned(AT_ONCE);
  if (ids.length === 0) return true;
  let end = await lastPosition(events, { account, env });
  for (const id of ids) {
    try {
      const [positioned] = await events.claim({ _id: id, log_position: null }, { set: { log_position: end + 1 } });
      if (positioned) end += 1; // else another process has positioned it
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      end = await lastPosition(events, { account, env }); // the row has its turn with the next ones
    }
  }
  return (await unpositioned(1)).length === 0;
}
