import { documentDeadLetters } from '@svc/event-bus';
import { takeUpLine } from '@svc/event-bus/dead-letters/take-up';
import type { Publisher } from '@svc/event-bus/publishing/publisher';
import { UnknownEvent } from '@svc/kernel';
import { customerPublisher } from '../customer/publish.ts';
import { checkOrder, storeWithGroups } from '../testing/groups.ts';

const { system, run, make, upToDate, end, remove } = storeWithGroups();
afterEach(end);
afterAll(remove);

describe('events that the relays of several groups skip', () => {
  /** Of a release that does not know updates. */
  const old: Publisher = {
    ...(customerPublisher as Publisher),
    publish(recorded, state) {
      if (recorded.type === 'CustomerUpdated') throw new UnknownEvent(recorded);
      return customerPublisher.publish(recorded, state as never);
    },
  };
  const deadLetters = () => Array.fromAsync(documentDeadLetters(system.documents)('invoicing.publishing').find({}));
  const untilDeadLetters = async (count: number): Promise<void> => {
    while ((await deadLetters()).length < count) await system.clock.sleep(10);
  };
  const untilNoDeadLetters = async (): Promise<void> => {
    while ((await deadLetters()).length > 0) await system.clock.sleep(10);
  };

  test('are one dead letter; a release that knows them publishes them to each group once', async () => {
    await upToDate('one', 'two');
    const first = run(['one', 'two'], {}, { publisher: old });
    await make(1);
    await Promise.all([first.until('one', 1), first.until('two', 1), untilDeadLetters(1)]);
    await first.stop();
    expect(await deadLetters()).toMatchObject([{ reason: 'unknown_type', event: { from: '1', upto: '1' } }]);
    const second = run(['one', 'two']);
    await Promise.all([second.until('one', 1), second.until('two', 1)]);
    await untilNoDeadLetters();
    for (const group of ['one', 'two']) expect(second.received.get(group)?.map(({ sequence }) => sequence)).toEqual([2]);
    await second.stop();
  });

  test('are published once every group has what comes before them, in order', async () => {
    await upToDate('prompt', 'tardy');
    const first = run(['prompt', 'tardy'], { tardy: () => new Promise(() => undefined) }, { publisher: old });
    await make(1);
    await Promise.all([first.until('prompt', 1), untilDeadLetters(1)]);
    await first.cut();
    const open = Promise.withResolvers<void>();
    const second = run(['prompt', 'tardy'], { tardy: () => open.promise });
    const line = String((await deadLetters())[0]?.line);
    for (let n = 0; n < 10; n += 1) {
      expect(await takeUpLine(second.bus.deadLetters, 'invoicing.publishing', line)).toMatchObject({ done: 0, stopped: { since: 'busy' } });
      await system.clock.sleep(20);
    }
    await make(1);
    await second.until('prompt', 2);
    open.resolve();
    await Promise.all([second.until('prompt', 3), second.until('tardy', 4)]);
    checkOrder(second.received.get('tardy') ?? []);
    await untilNoDeadLetters();
    await second.stop();
  });
});
