import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { FakeClock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { batches, chunk, collect, following, ofAllFrom, ofStream, openEmulator, outcomeOf } from './testing/wire.ts';

describe('stopping the emulator', () => {
  const clock = new FakeClock();
  let emulator: Awaited<ReturnType<typeof openEmulator>>;
  beforeEach(async () => void (emulator = await openEmulator(clock)));
  afterEach(() => emulator.close());
  const append = (stream: string) => chunk({ id: randomUUID(), stream, events: [{}] });

  test('lets open streams continue for a while, refuses new ones, then closes all', async () => {
    const { call, answers, over } = batches(emulator.wire());
    call.write(append('before'));
    await until(() => answers.length === 1);
    const stopped = emulator.stop(5_000);
    const refused = collect(emulator.wire(), ofStream('before').setCount('1')).over;
    call.write(append('meanwhile'));
    await until(() => answers.length === 2);
    expect(outcomeOf(answers[1])).toBe('0');
    expect(await refused).toMatchObject({ code: status.UNAVAILABLE });
    await clock.advance(5_000);
    await stopped;
    expect((await over).code).toBe(status.UNAVAILABLE);
  });

  test('does not wait when no call is open', async () => {
    const { call, answers, over } = batches(emulator.wire());
    call.write(append('done'));
    await until(() => answers.length === 1);
    call.cancel();
    await over;
    await emulator.stop(3_600_000);
  });

  test('ends subscriptions on close as a kill does', async () => {
    const subscription = collect(emulator.wire(), following(ofAllFrom(0)));
    await until(() => subscription.messages.some((message) => message.hasCaughtUp()));
    await emulator.restart();
    expect(await subscription.over).toMatchObject({ code: status.UNAVAILABLE });
  });
});
