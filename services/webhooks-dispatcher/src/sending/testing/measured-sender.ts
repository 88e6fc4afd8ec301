import { FakeClock } from '@svc/kernel';
import { createSend, type Answered } from '../send.ts';

/** Sends to one receiver, by a clock of its own. */
export function measuredSender(origin: string) {
  const clock = new FakeClock();
  const outgoing = createSend({ clock, resolve: async () => [], allowed: new Set([origin]) });
  const post = (account = 'acct_1'): Promise<Answered> =>
    outgoing.send({ account, url: origin, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"a":1}') });
  /** The answer, and how much of this thread's processor time it took in milliseconds. */
  const measured = async (account?: string): Promise<[Answered, number]> => {
    const before = process.threadCpuUsage();
    const answered = await post(account);
    const { user, system } = process.threadCpuUsage(before);
    return [answered, (user + system) / 1000];
  };
  return { clock, post, measured, close: () => outgoing.close() };
}
