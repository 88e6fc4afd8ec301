import { createIds, OutcomeUnknown, prefixed, systemClock } from '@svc/kernel';
import { seeded } from '@svc/kernel/testing/seeded';
import { faultyStore } from './testing/faulty-store.ts';
import { documentStream, numberDocument, type Numbered } from './testing/numbered-document.ts';
import type { EventStore } from './port.ts';
import { createSequence } from './sequence/sequence.ts';

/** Numbers on a store whose connection loses requests and replies, with callers that crash midway. */
export function numberingSuite(open: () => { store: EventStore; account: string }): void {
  describe('numbers', () => {
    const ids = createIds(systemClock);
    const faults = { lostRequest: 0.15, lostReply: 0.15, late: 0.15 };

    test('500 concurrent documents get one number each, without gaps, with few appends', async () => {
      const { store, account } = open();
      let appends = 0;
      const counted = { ...store, append: (...args: Parameters<EventStore['append']>) => ((appends += 1), store.append(...args)) };
      const sequence = createSequence({ streams: counted, ids });
      const series = `series-test.${account}.INV.2026`;
      const links = await Promise.all(
        Array.from({ length: 500 }, (_, n) =>
          sequence.take<Numbered>({
            stream: series,
            seen: 'none',
            document: `inv_${n}`,
            type: 'NumberTaken',
            v: 1,
            metadata: { account, env: 'test' },
            link: (last) => ({ document: `inv_${n}`, seq: (last?.seq ?? 0) + 1 }),
          }),
        ),
      );
      expect(links.map((link) => (link as Numbered).seq).sort((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, n) => n + 1));
      expect(appends).toBeLessThanOrEqual(5);
    });

    test.each([1, 2, 3])(
      'two processes on the same documents, with faults and crashes (seed %i): one number each, without gaps',
      async (seed) => {
        const { store, account } = open();
        const random = seeded(seed);
        const series = `series-test.${account}.INV.2026`;
        const documents = Array.from({ length: 30 }, () => prefixed('inv', ids.next()));
        const faulty = faultyStore(store, faults, random);

        /** One process: repeats every document until it is numbered, and loses its memory at each crash. */
        async function run(): Promise<void> {
          let sequence = createSequence({ streams: faulty, ids });
          await Promise.all(
            documents.map(async (document) => {
              for (let done = false; !done;) {
                if (random() < 0.2) sequence = createSequence({ streams: faulty, ids });
                done = await numberDocument({ streams: faulty, sequence, ids, account, series }, document).then(
                  () => true,
                  (error: unknown) => {
                    if (!(error instanceof OutcomeUnknown)) throw error;
                    return false;
                  },
                );
              }
            }),
          );
        }
        await Promise.all([run(), run()]);
        await faulty.land();

        const taken = (await store.read(series)).map(({ data }) => data as Numbered);
        expect(taken.map(({ seq }) => seq)).toEqual(documents.map((_, n) => n + 1));
        expect(taken.map(({ document }) => document).sort()).toEqual([...documents].sort());
        for (const link of taken) {
          const events = await store.read(documentStream(account, link.document));
          expect(events.map(({ type }) => type)).toEqual(['NumberRequested', 'Numbered']);
          expect(events[1]?.data).toEqual(link);
        }
      },
    );
  });
}
