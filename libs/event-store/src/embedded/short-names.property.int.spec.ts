import type { Engine } from '@svc/embedded';
import { createIds, FakeClock, type EventMetadata, type NewEvent, type Recorded } from '@svc/kernel';
import fc from 'fast-check';
import { temporaryEngine } from '../testing/temporary-engine.ts';
import { embeddedEventStore } from './embedded-event-store.ts';

interface Append {
  /** Index in `names`. */
  stream: number;
  /** Added to the revision that the model has: other than 0 is a conflict. */
  off: number;
  types: number[];
  /** The event at this index cannot be stored. */
  broken: number | undefined;
}
/** What ends a turn beside its appends. */
type End = 'commit' | 'rollback' | 'crash';
interface Turn {
  appends: Append[];
  end: End;
  /** The write that rolls the turn back comes after so many appends. */
  after: number;
  then: 'restart' | 'read' | 'go on';
}

/** Of three tenants and two categories; the last ones have another form. */
const names = [
  ...['a-test.x.1', 'a-test.x.2', 'a-test.x.1.2', 'a-test.x.', 'a-live.x.1', 'a-test.y.1', 'a-test.xx.1', 'b-test.x.1', 'b-test.z.1'],
  ...['a-test.x', 'a-test', 'b..1'],
];
const types = ['Happened', 'a-test.x', 'live', 'Ended', 'b-test.z'];

describe('streams and types of stored events, whatever is rolled back', () => {
  const clock = new FakeClock();
  const ids = createIds(clock);
  const event = (stream: string, type: string): NewEvent => ({
    ...{ id: ids.next(), type, data: { stream } },
    metadata: { v: 1, account: stream.split('.')[1] ?? 'x', env: 'test' },
  });
  /** Cannot be stored, which is found when its row is written. */
  const broken = (of: NewEvent): NewEvent => ({ ...of, metadata: { ...of.metadata, v: 1n as unknown as number } satisfies EventMetadata });

  const append: fc.Arbitrary<Append> = fc.record({
    stream: fc.nat(names.length - 1),
    off: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.constantFrom(-1, 1)),
    types: fc.array(fc.nat(types.length - 1), { minLength: 1, maxLength: 3 }),
    broken: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.nat(2)),
  });
  const turn: fc.Arbitrary<Turn> = fc.record({
    appends: fc.array(append, { minLength: 1, maxLength: 5 }),
    end: fc.oneof({ weight: 3, arbitrary: fc.constant('commit' as const) }, fc.constantFrom('rollback' as const, 'crash' as const)),
    after: fc.nat(5),
    then: fc.constantFrom('restart', 'read', 'go on'),
  });

  const shown = (events: readonly Recorded[]) =>
    events.map(({ stream, revision, id, type, metadata }) => ({ stream, revision, id, type, metadata }));

  /** Throws what the subscription would log and try again. */
  async function all(engine: Engine): Promise<Recorded[]> {
    const found: Recorded[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const store = embeddedEventStore(engine, clock, { error: ({ err }: { err?: unknown }) => reject(err) });
    const stop = store.subscribe('start', async ({ events, caughtUp }) => {
      found.push(...events);
      if (caughtUp) resolve();
    });
    await promise.finally(stop);
    return found;
  }

  test('each stream has what was acknowledged and nothing else, over rollbacks, failed appends and crashes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 12 }), async (turns) => {
        const fixture = temporaryEngine();
        let { engine } = fixture;
        const model: ReturnType<typeof shown> = [];
        const of = (stream: string) => model.filter((one) => one.stream === stream);
        try {
          let store = embeddedEventStore(engine, clock);

          for (const { appends, end, after, then } of turns) {
            const added: typeof model = [];
            const expected: ('fulfilled' | 'rejected')[] = [];
            const outcomes: Promise<unknown>[] = [];
            const rollBack = () =>
              engine
                .write(() => {
                  engine.sql('ROLLBACK').run();
                  throw new Error('the disk is full');
                })
                .catch(() => undefined);
            let rolled: Promise<unknown> = Promise.resolve();
            for (const [n, one] of appends.entries()) {
              if (end === 'rollback' && n === after) rolled = rollBack();
              const stream = names[one.stream] as string;
              const next = of(stream).length + added.filter((of) => of.stream === stream).length;
              const revision = Math.max(0, next + one.off);
              const events = one.types.map((type) => event(stream, types[type] as string));
              const given = events.map((of, at) => (at === one.broken ? broken(of) : of));
              const succeeds = revision === next && (one.broken === undefined || one.broken >= events.length);
              if (succeeds)
                added.push(
                  ...events.map(({ id, type, metadata }, at) => ({ stream, revision: BigInt(revision + at), id, type, metadata })),
                );
              expected.push(end === 'commit' && succeeds ? 'fulfilled' : 'rejected');
              outcomes.push(store.append(stream, revision === 0 ? 'none' : BigInt(revision - 1), given));
            }
            if (end === 'crash') {
              for (const outcome of outcomes) outcome.catch(() => undefined);
              engine = fixture.crash();
              store = embeddedEventStore(engine, clock);
            } else {
              if (end === 'rollback' && after >= appends.length) rolled = rollBack();
              expect((await Promise.allSettled(outcomes)).map(({ status }) => status)).toEqual(expected);
              await rolled;
              if (end === 'commit') model.push(...added);
            }
            if (then === 'restart') store = embeddedEventStore((engine = fixture.restart()), clock);
            if (then !== 'go on') {
              for (const stream of names) expect(shown(await store.read(stream))).toEqual(of(stream));
              for (const stream of names) expect(shown(await store.tail(stream, 2))).toEqual(of(stream).slice(-2));
            }
          }
          expect(shown(await all(engine))).toEqual(model);
          expect(shown(await all((engine = fixture.restart())))).toEqual(model);
          store = embeddedEventStore(engine, clock);
          for (const stream of names) expect(shown(await store.read(stream))).toEqual(of(stream));
        } finally {
          fixture.remove();
        }
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});
