import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { FakeClock } from '@svc/kernel';
import { until } from '../until.suite.ts';
import { batches, chunk, collect, following, ofAllFrom, ofStream, openDouble, outcomeOf } from './wire.suite.ts';

describe('stopping the double', () => {
  const clock = new FakeClock();
  let double: Awaited<ReturnType<typeof openDouble>>;
  beforeEach(async () => void (double = await openDouble(clock)));
  afterEach(() => double.close());
  const append = (stream: string) => chunk({ id: randomUUID(), stream, events: [{}] });

  test('streams that are open go on for a while, new ones are refused, then all are broken off', async () => {
    const { call, answers, over } = batches(double.wire());
    call.write(append('before'));
    await until(() => answers.length === 1);
    const stopped = double.stop(5_000);
    const refused = collect(double.wire(), ofStream('before').setCount('1')).over;
    call.write(append('meanwhile'));
    await until(() => answers.length === 2);
    expect(outcomeOf(answers[1])).toBe('0');
    expect(await refused).toMatchObject({ code: status.UNAVAILABLE });
    await clock.advance(5_000);
    await stopped;
    expect((await over).code).toBe(status.UNAVAILABLE);
  });

  test('it does not wait when no call is open', async () => {
    const { call, answers, over } = batches(double.wire());
    call.write(append('done'));
    await until(() => answers.length === 1);
    call.cancel();
    await over;
    await double.stop(3_600_000);
  });

  test('a close breaks subscriptions off as a kill does', async () => {
    const subscription = collect(double.wire(), following(ofAllFrom(0)));
    await until(() => subscription.messages.some((message) => message.hasCaughtUp()));
    await double.restart();
    expect(await subscription.over).toMatchObject({ code: status.UNAVAILABLE });
  });
});
