import { FakeClock } from '@svc/kernel';
import { register } from '@svc/service';
import { callerOf, dataFolder, openSystem } from '../../testing/open-system.ts';
import { processWork } from './process-manager.ts';
import { projectBetweenSteps, type BetweenSteps } from './steps.ts';
import type { Process } from './process.ts';
import type { DocumentRef } from '../context.ts';

/** A document that is between steps after Begun and done after Ended; `finish` appends Ended unless the fixture is broken. */
function openFixture() {
  const folder = dataFolder();
  const clock = new FakeClock();
  const system = openSystem(folder.path, clock);
  const { account, env } = callerOf(system);
  const finished: { id: string; at: number }[] = [];
  let broken = false;

  const append = async (id: string, type: string): Promise<void> => {
    const stream = `thing-${env}.${account}.${id}`;
    const revision = (await system.store.read(stream)).at(-1)?.revision ?? ('none' as const);
    await system.store.append(stream, revision, [{ id: system.ids.next(), type, data: {}, metadata: { v: 1, account, env } }]);
  };
  const process: Process = {
    category: 'thing',
    afterEvent: ({ type }) => (type === 'Begun' ? 'open' : type === 'Ended' ? 'done' : undefined),
    async finish(_context, { id }: DocumentRef) {
      finished.push({ id, at: clock.now() });
      if (broken) throw new Error('the store is away');
      const newest = (await system.store.read(`thing-${env}.${account}.${id}`)).at(-1);
      if (newest?.type === 'Begun') await append(id, 'Ended');
    },
  };
  function start() {
    const running = processWork(system.context, system.subscribing, system.documents, [process]).map((work) => work.start());
    return { stop: () => Promise.all(running.map((work) => work.stop())) };
  }
  const rows = () => Array.fromAsync(system.documents.collection<BetweenSteps>('unfinished').find({}));
  /** A process that has lost its lease without noticing: writes the rows of events that it had read before. */
  async function late(id: string, ...types: string[]): Promise<void> {
    const events = await system.store.read(`thing-${env}.${account}.${id}`);
    const handle = projectBetweenSteps([process], system.documents.collection<BetweenSteps>('unfinished'));
    await handle(events.slice(0, types.length));
    expect(events.slice(0, types.length).map(({ type }) => type)).toEqual(types);
  }
  return {
    clock,
    append,
    finished,
    start,
    rows,
    late,
    breakIt: () => (broken = true),
    mendIt: () => (broken = false),
    close() {
      system.engine.close();
      folder.remove();
    },
  };
}

describe('documents between steps', () => {
  let system: ReturnType<typeof openFixture>;
  let running: ReturnType<ReturnType<typeof openFixture>['start']>;
  beforeEach(async () => {
    system = openFixture();
    running = system.start();
    await system.clock.advance(100);
  });
  afterEach(async () => {
    const stopped = running.stop();
    await system.clock.advance(1_000);
    await stopped;
    system.close();
  });
  const ids = () => system.finished.map(({ id }) => id);

  test('a document that continues within two seconds is not touched', async () => {
    await system.append('quick', 'Begun');
    await system.clock.advance(1_500);
    await system.append('quick', 'Ended');
    await system.clock.advance(10_000);
    expect(ids()).toEqual([]);
  });

  test('a document that stops is finished once, after two seconds', async () => {
    const begun = system.clock.now();
    await system.append('slow', 'Begun');
    await system.clock.advance(90_000);
    expect(ids()).toEqual(['slow']);
    expect(system.finished[0]?.at).toBeGreaterThanOrEqual(begun + 2_000);
    expect(system.finished[0]?.at).toBeLessThanOrEqual(begun + 3_500);
  });

  test('retries until a document can be finished', async () => {
    system.breakIt();
    await system.append('stuck', 'Begun');
    await system.append('other', 'Begun');
    await system.clock.advance(20_000);
    expect(ids().filter((id) => id === 'stuck').length).toBeGreaterThan(2);
    const [, failures] =
      /^svc_unfinished_failures_total (\d+)$/m.exec(await register.getSingleMetricAsString('svc_unfinished_failures_total')) ?? [];
    expect(Number(failures)).toBe(ids().length);
    system.mendIt();
    await system.clock.advance(10_000);
    const tried = system.finished.length;
    await system.clock.advance(120_000);
    expect(system.finished).toHaveLength(tried);
    expect(new Set(ids())).toEqual(new Set(['stuck', 'other']));
  });

  test('a document that begins again is finished again', async () => {
    for (const type of ['Begun', 'Ended', 'Begun']) await system.append('twice', type);
    await system.clock.advance(5_000);
    expect(ids()).toEqual(['twice']);
  });

  test('a late writer deletes no row of a document that has begun again', async () => {
    system.breakIt();
    for (const type of ['Begun', 'Ended', 'Begun']) await system.append('twice', type);
    await system.clock.advance(500);
    await system.late('twice', 'Begun', 'Ended');
    system.mendIt();
    await system.clock.advance(10_000);
    expect(ids()).toContain('twice');
    expect(await system.rows()).toEqual([]);
  });

  test('a late writer does not reset a row after a failed attempt', async () => {
    system.breakIt();
    await system.append('stuck', 'Begun');
    await system.clock.advance(4_000);
    const [before] = await system.rows();
    await system.late('stuck', 'Begun');
    expect(await system.rows()).toEqual([before]);
  });

  test('a row that a late writer adds for a finished document is deleted after a look', async () => {
    system.breakIt();
    await system.append('quick', 'Begun');
    await system.append('quick', 'Ended');
    await system.clock.advance(1_000);
    expect(await system.rows()).toEqual([]);
    await system.late('quick', 'Begun');
    expect(await system.rows()).toHaveLength(1);
    system.mendIt();
    await system.clock.advance(200_000);
    expect(await system.rows()).toEqual([]);
    expect(ids().length).toBe(1);
  });

  test('a document left by a process that died is finished by the next one', async () => {
    await system.append('left', 'Begun');
    const stopped = running.stop();
    await system.clock.advance(1_000);
    await stopped;
    await system.clock.advance(60_000);
    expect(ids()).toEqual([]);
    running = system.start();
    await system.clock.advance(5_000);
    expect(ids()).toEqual(['left']);
  });
});
