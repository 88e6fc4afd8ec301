import { FakeClock } from '@svc/kernel';
import { callerOf, dataFolder, openWorld } from '../../open-world.suite.ts';
import { processWork } from './process-manager.ts';
import { projectBetweenSteps, type BetweenSteps } from './between-steps.ts';
import type { DocumentRef, Process } from './process.ts';

/** A document that is open after Begun and at rest after Ended; `finish` ends it unless the authority of this test says no. */
function stage() {
  const folder = dataFolder();
  const clock = new FakeClock();
  const world = openWorld(folder.path, clock);
  const { account, env } = callerOf(world);
  const finished: { id: string; at: number }[] = [];
  let broken = false;

  const append = async (id: string, type: string): Promise<void> => {
    const stream = `thing-${env}.${account}.${id}`;
    const revision = (await world.store.read(stream)).at(-1)?.revision ?? ('none' as const);
    await world.store.append(stream, revision, [{ id: world.ids.next(), type, data: {}, metadata: { v: 1, account, env } }]);
  };
  const watched: Process = {
    category: 'thing',
    step: ({ type }) => (type === 'Begun' ? 'open' : type === 'Ended' ? 'done' : undefined),
    async finish(_context, { id }: DocumentRef) {
      finished.push({ id, at: clock.now() });
      if (broken) throw new Error('the store is away');
      const newest = (await world.store.read(`thing-${env}.${account}.${id}`)).at(-1);
      if (newest?.type === 'Begun') await append(id, 'Ended');
    },
  };
  function start() {
    const running = processWork(world.context, world.subscribing, world.documents, [watched]).map((work) => work.start());
    return { stop: () => Promise.all(running.map((work) => work.stop())) };
  }
  const rows = () => Array.fromAsync(world.documents.collection<BetweenSteps>('unfinished').find({}));
  /** A process whose lease has passed and that does not know it yet: writes what it had read before. */
  async function late(id: string, ...types: string[]): Promise<void> {
    const events = await world.store.read(`thing-${env}.${account}.${id}`);
    const handle = projectBetweenSteps([watched], world.documents.collection<BetweenSteps>('unfinished'));
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
      world.engine.close();
      folder.remove();
    },
  };
}

describe('documents between steps', () => {
  let scene: ReturnType<typeof stage>;
  let running: ReturnType<ReturnType<typeof stage>['start']>;
  beforeEach(async () => {
    scene = stage();
    running = scene.start();
    await scene.clock.advance(100);
  });
  afterEach(async () => {
    const stopped = running.stop();
    await scene.clock.advance(1_000);
    await stopped;
    scene.close();
  });
  const ids = () => scene.finished.map(({ id }) => id);

  test('who goes on within two seconds is left alone', async () => {
    await scene.append('quick', 'Begun');
    await scene.clock.advance(1_500);
    await scene.append('quick', 'Ended');
    await scene.clock.advance(10_000);
    expect(ids()).toEqual([]);
  });

  test('who does not is finished after two seconds, once', async () => {
    const begun = scene.clock.now();
    await scene.append('slow', 'Begun');
    await scene.clock.advance(90_000);
    expect(ids()).toEqual(['slow']);
    expect(scene.finished[0]?.at).toBeGreaterThanOrEqual(begun + 2_000);
    expect(scene.finished[0]?.at).toBeLessThanOrEqual(begun + 3_500);
  });

  test('what cannot be finished is tried until it can', async () => {
    scene.breakIt();
    await scene.append('stuck', 'Begun');
    await scene.append('other', 'Begun');
    await scene.clock.advance(20_000);
    expect(ids().filter((id) => id === 'stuck').length).toBeGreaterThan(2);
    scene.mendIt();
    await scene.clock.advance(10_000);
    const tried = scene.finished.length;
    await scene.clock.advance(120_000);
    expect(scene.finished).toHaveLength(tried);
    expect(new Set(ids())).toEqual(new Set(['stuck', 'other']));
  });

  test('what begins again is watched again', async () => {
    for (const type of ['Begun', 'Ended', 'Begun']) await scene.append('twice', type);
    await scene.clock.advance(5_000);
    expect(ids()).toEqual(['twice']);
  });

  test('a writer that is late deletes nothing that began since', async () => {
    scene.breakIt();
    for (const type of ['Begun', 'Ended', 'Begun']) await scene.append('twice', type);
    await scene.clock.advance(500);
    await scene.late('twice', 'Begun', 'Ended');
    scene.mendIt();
    await scene.clock.advance(10_000);
    expect(ids()).toContain('twice');
    expect(await scene.rows()).toEqual([]);
  });

  test('a writer that is late, also after a failed try: a row that is worked on is not begun anew', async () => {
    scene.breakIt();
    await scene.append('stuck', 'Begun');
    await scene.clock.advance(4_000);
    const [before] = await scene.rows();
    await scene.late('stuck', 'Begun');
    expect(await scene.rows()).toEqual([before]);
  });

  test('what a writer that is late says of a document at rest is looked into and goes', async () => {
    scene.breakIt();
    await scene.append('quick', 'Begun');
    await scene.append('quick', 'Ended');
    await scene.clock.advance(1_000);
    expect(await scene.rows()).toEqual([]);
    await scene.late('quick', 'Begun');
    expect(await scene.rows()).toHaveLength(1);
    scene.mendIt();
    await scene.clock.advance(200_000);
    expect(await scene.rows()).toEqual([]);
    expect(ids().length).toBe(1);
  });

  test('what was left by a process that died is finished by the next', async () => {
    await scene.append('left', 'Begun');
    const stopped = running.stop();
    await scene.clock.advance(1_000);
    await stopped;
    await scene.clock.advance(60_000);
    expect(ids()).toEqual([]);
    running = scene.start();
    await scene.clock.advance(5_000);
    expect(ids()).toEqual(['left']);
  });
});
