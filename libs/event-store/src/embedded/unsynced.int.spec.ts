import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Engine } from '@svc/embedded';
import { createIds, systemClock, type NewEvent, type Recorded } from '@svc/kernel';
import { embeddedEventStore } from './embedded-event-store.ts';

describe('events that are committed and not yet on the disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unsynced-'));
  /** Ends the sync that is under way. */
  let sync: (() => void) | undefined;
  let isHeld = false;
  const engine = Engine.open(folder, {
    sync: (_fd, done) => {
      if (isHeld) sync = () => done(null);
      else done(null);
    },
  });
  const store = embeddedEventStore(engine, systemClock);
  const ids = createIds(systemClock);
  afterAll(() => {
    engine.close();
    rmSync(folder, { recursive: true });
  });

  const event = (): NewEvent => ({ id: ids.next(), type: 'Added', data: {}, metadata: { v: 1, account: 'acct_1', env: 'test' } });
  const turns = async (): Promise<void> => {
    for (let n = 0; n < 10; n += 1) await nextTurn();
  };
  const revisions = (events: Recorded[]): bigint[] => events.map(({ revision }) => revision);

  test('readers of their stream and subscriptions get them after the sync, readers of other streams do not wait', async () => {
    await store.append('thing-test.acct_1.a', 'none', [event()]);
    await store.append('thing-test.acct_1.b', 'none', [event()]);
    const before = await store.head();
    const handed: string[] = [];
    const stop = store.subscribe(before, async ({ events }) => void handed.push(...events.map(({ stream }) => stream)));
    await turns();

    isHeld = true;
    const answers: string[] = [];
    void store.append('thing-test.acct_1.a', 0n, [event()]).then(() => answers.push('append'));
    await turns();
    void store.read('thing-test.acct_1.a').then((events) => answers.push(`read ${revisions(events).join()}`));
    void store.tail('thing-test.acct_1.a', 1).then((events) => answers.push(`tail ${revisions(events).join()}`));
    void store.append('thing-test.acct_1.a', 0n, [event()]).catch((error: Error) => answers.push(error.name));
    await turns();
    expect([answers, handed, await store.head()]).toEqual([[], [], before]);
    expect(['a', 'b', 'c'].map((id) => store.end(`thing-test.acct_1.${id}`))).toEqual([undefined, 0n, 'none']);
    expect(revisions(await store.read('thing-test.acct_1.b'))).toEqual([0n]);
    expect(revisions(await store.tail('thing-test.acct_1.b', 1))).toEqual([0n]);

    isHeld = false;
    sync?.();
    await turns();
    expect(answers).toEqual(['append', 'read 0,1', 'tail 1', 'Conflict']);
    expect(store.end('thing-test.acct_1.a')).toBe(1n);
    expect(handed).toEqual(['thing-test.acct_1.a']);
    await stop();
  });
});
