import { createIds, FakeClock, type NewEvent, type Recorded } from '@svc/kernel';
import type { EventStore } from '../port.ts';
import { temporaryEngine } from '../testing/temporary-engine.ts';
import { embeddedEventStore } from './embedded-event-store.ts';

describe('names of streams and types in stored events', () => {
  const clock = new FakeClock();
  const ids = createIds(clock);
  const event = (n: number, type = 'Happened'): NewEvent => ({
    ...{ id: ids.next(), type, data: { n } },
    metadata: { v: 1, account: 'acct_1', env: 'test' },
  });
  const young = 'tally-test.acct_1.young';
  let fixture: ReturnType<typeof temporaryEngine>;
  let store: EventStore;
  beforeEach(() => {
    fixture = temporaryEngine();
    store = embeddedEventStore(fixture.engine, clock);
  });
  afterEach(() => fixture.remove());

  async function all(): Promise<Recorded[]> {
    const found: Recorded[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = store.subscribe('start', async ({ events, caughtUp }) => {
      found.push(...events);
      if (caughtUp) resolve();
    });
    await promise;
    await stop();
    return found;
  }
  const shown = (events: readonly Recorded[]) => events.map(({ stream, revision, type, data }) => [stream, revision, type, data]);

  test('a name that a rolled back turn has stored belongs to no other stream afterwards', async () => {
    const lost = store.append('tally-test.acct_lost.1', 'none', [event(0, 'Lost')]);
    fixture.engine.write((engine) => engine.sql('ROLLBACK').run()).catch(() => undefined);
    await expect(lost).rejects.toThrow();
    await store.append('tally-test.acct_2.1', 'none', [event(0, 'Found')]);
    expect(await store.read('tally-test.acct_lost.1')).toEqual([]);
    expect(shown(await store.read('tally-test.acct_2.1'))).toEqual([['tally-test.acct_2.1', 0n, 'Found', { n: 0 }]]);
    store = embeddedEventStore(fixture.restart(), clock);
    expect(shown(await all())).toEqual([['tally-test.acct_2.1', 0n, 'Found', { n: 0 }]]);
  });

  test('names of any form are read as they are written', async () => {
    const streams = [
      'tally-test.acct_1.with.points.',
      'tally-test.acct_1.',
      'tally-live.acct_1.x',
      'tally-test.acct_2.x',
      'tally',
      'tally-test.1',
      '.',
      'ë.ë.ë',
    ];
    for (const stream of streams) await store.append(stream, 'none', [event(0)]);
    store = embeddedEventStore(fixture.restart(), clock);
    for (const stream of streams) expect(shown(await store.read(stream))).toEqual([[stream, 0n, 'Happened', { n: 0 }]]);
    expect((await all()).map(({ stream }) => stream)).toEqual(streams);
  });

  test('a name that begins with a digit is refused, since codes do', async () => {
    await expect(store.append('1.acct_1.x', 'none', [event(0)])).rejects.toThrow(RangeError);
    await expect(store.append(young, 'none', [event(0, '1')])).rejects.toThrow(RangeError);
    expect(await all()).toEqual([]);
  });

  test('the view for people shows the names and the ids of requests', async () => {
    const { engine } = fixture;
    await store.append(young, 'none', [event(0)]);
    const made = event(1);
    const ofRequest = { ...made.metadata, command_id: 'c_1', request_id: 'req_1' };
    await store.append(young, 0n, [{ ...made, metadata: ofRequest }]);
    await store.append('tally-test.acct_1.with.points', 'none', [event(0, 'Begun')]);
    const shown = engine.sql('SELECT stream, revision, type, command_id, request_id FROM recorded_events ORDER BY position').all();
    expect(shown.map((row) => Object.values(row))).toEqual([
      [young, 0, 'Happened', null, null],
      [young, 1, 'Happened', 'c_1', 'req_1'],
      ['tally-test.acct_1.with.points', 0, 'Begun', null, null],
    ]);
  });

  test('the rows hold the category, the tenant and the type once for all events', async () => {
    const stream = `tally-test.acct_${'1'.repeat(26)}.of`;
    const metadata = { v: 1, account: `acct_${'1'.repeat(26)}`, env: 'test' as const };
    for (let n = 0; n < 3; n += 1) await store.append(`${stream}_${n}`, 'none', [{ ...event(n, 'SomethingOfALongName'), metadata }]);
    const rows = JSON.stringify(fixture.engine.sql('SELECT stream, type, metadata FROM events').all());
    expect(rows).not.toContain('acct_');
    expect(rows).not.toContain('SomethingOfALongName');
  });
});
