import type { Recorded } from '@svc/kernel';
import fc from 'fast-check';
import { lastEvent } from './last-event.ts';

test('the last event of a stream of any length, in few reads', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 5_000_000 }), async (length) => {
      let reads = 0;
      const found = await lastEvent(
        {
          async read(stream, from = 0n, max = Infinity) {
            reads += 1;
            const count = Math.max(0, Math.min(max, length - Number(from)));
            return Array.from({ length: count }, (_, n) => ({ stream, revision: from + BigInt(n) }) as Recorded);
          },
        },
        'series-test.acct_1.INV',
      );
      expect(found?.revision).toBe(length === 0 ? undefined : BigInt(length - 1));
      expect(reads).toBeLessThanOrEqual(50);
    }),
  );
});
