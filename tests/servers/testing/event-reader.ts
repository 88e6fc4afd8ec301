import type { Call } from '@svc/testkit';
import { sleep } from '../../e2e/testing/retrying-client.ts';

interface Answered {
  data: { id: string }[];
}

/**
 * Follows the events after this one through all gateways in turn, whatever answers fail. `seen`: their ids, in the order in which they came. `stop` resolves when
 * an answer had none behind them.
 */
export function followEvents(calls: readonly Call[], after: string) {
  const seen: string[] = [];
  let isOver = false;
  const following = (async () => {
    for (let n = 0; ; n += 1) {
      const query = { after: seen.at(-1) ?? after, wait: isOver ? 0 : 5, per_page: 20 };
      const call = calls[n % calls.length] as Call;
      const answer = await call<Answered>('GET', '/events', { query }).catch(() => undefined);
      if (answer?.status !== 200) {
        await sleep(200);
        continue;
      }
      seen.push(...answer.body.data.map(({ id }) => id));
      if (isOver && answer.body.data.length === 0) return;
    }
  })();
  return {
    seen,
    async stop(): Promise<void> {
      isOver = true;
      await following;
    },
  };
}
