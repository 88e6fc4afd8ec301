import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { FakeClock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { batches, chunk, collect, ofStream, openEmulator, outcomeOf } from '../testing/wire.ts';
import { idText } from './proposed.ts';

describe('BatchAppend on the wire', () => {
  const clock = new FakeClock();
  let emulator: Awaited<ReturnType<typeof openEmulator>>;
  beforeAll(async () => void (emulator = await openEmulator(clock)));
  afterAll(() => emulator.close());

  const open = () => batches(emulator.wire());
  const typesOf = async (stream: string): Promise<(string | undefined)[]> => {
    const read = collect(emulator.wire(), ofStream(stream).setCount('100'));
    await read.over;
    return read.messages.map((message) => message.getEvent()?.getEvent()?.getMetadataMap().get('type'));
  };

  test('answers each batch by its id once it is whole, when chunks of batches interleave', async () => {
    const { call, answers } = open();
    const [a, b] = [randomUUID(), randomUUID()];
    call.write(chunk({ id: a, stream: 'a', events: [{ type: 'A1' }], final: false }));
    call.write(chunk({ id: b, stream: 'b', events: [{ type: 'B1' }], final: false }));
    call.write(chunk({ id: a, events: [{ type: 'A2' }] }));
    await until(() => answers.length === 1);
    call.write(chunk({ id: b, events: [{ type: 'B2' }] }));
    await until(() => answers.length === 2);
    expect(answers.map((answer) => [answer.getCorrelationId()?.getString(), outcomeOf(answer)])).toEqual([
      [a, '1'],
      [b, '1'],
    ]);
    expect([await typesOf('a'), await typesOf('b')]).toEqual([
      ['A1', 'A2'],
      ['B1', 'B2'],
    ]);
    call.cancel();
  });

  test('times out a batch whose last chunk is late, with its id as two numbers, and writes nothing', async () => {
    const { call, answers } = open();
    const [late, next] = [randomUUID(), randomUUID()];
    call.write(chunk({ id: late, stream: 'late', events: [{}], final: false }));
    call.write(chunk({ id: next, stream: 'late-marker', events: [{}] }));
    await until(() => answers.length === 1);
    await clock.advance(2_000);
    await until(() => answers.length === 2);
    call.write(chunk({ id: late, events: [{}] }));
    call.write(chunk({ id: randomUUID(), stream: 'late-marker', events: [{}] }));
    await until(() => answers.length === 3);
    const correlation = answers[1]?.getCorrelationId();
    expect([outcomeOf(answers[1]), correlation?.hasStructured(), idText(correlation)]).toEqual(['Timeout', true, late]);
    expect(await typesOf('late')).toEqual([undefined]);
    call.cancel();
  });

  test('times out a batch whose deadline has passed on arrival', async () => {
    const { call, answers } = open();
    call.write(chunk({ id: randomUUID(), stream: 'passed', events: [{}], deadline: new Date(clock.now() - 1) }));
    await until(() => answers.length === 1);
    expect([outcomeOf(answers[0]), answers[0]?.getCorrelationId()?.hasString()]).toEqual(['Timeout', true]);
    call.cancel();
  });

  test.each([
    ['an empty stream name', { stream: '' }],
    ['no expected position', { expected: 'unsaid' as const }],
    ['an event without an id', { events: [{ id: '' }] }],
    ['an event without a type', { events: [{ type: '' }] }],
  ])('answers %s as a bad request, once and in band', async (_name, wrong) => {
    const { call, answers } = open();
    call.write(chunk({ id: randomUUID(), stream: 'bad', events: [{}], ...wrong }));
    await clock.advance(5_000);
    call.write(chunk({ id: randomUUID(), stream: 'good', events: [{}] }));
    await until(() => answers.length === 2);
    expect(outcomeOf(answers[0])).toBe('BadRequest');
    expect(outcomeOf(answers[1])).toMatch(/^\d+$/);
    call.cancel();
  });

  test('refuses too much data at once and ignores the rest of that batch', async () => {
    const { call, answers } = open();
    const id = randomUUID();
    const half = { data: 'x'.repeat(600_000) };
    call.write(chunk({ id, stream: 'big', events: [half], final: false }));
    call.write(chunk({ id, events: [half], final: false }));
    call.write(chunk({ id, events: [{}] }));
    call.write(chunk({ id: randomUUID(), stream: 'small', events: [{}] }));
    await until(() => answers.length === 2);
    expect(answers.map(outcomeOf)).toEqual(['MaximumAppendSizeExceeded', '0']);
    call.cancel();
  });

  test('sends an outstanding response before the end after a half-close', async () => {
    const { call, answers, over } = open();
    call.write(chunk({ id: randomUUID(), stream: 'half-closed', events: [{}] }));
    call.end();
    expect((await over).code).toBe(status.OK);
    expect(answers.map(outcomeOf)).toEqual(['0']);
  });

  test('ends the call for bytes that cannot be decoded', async () => {
    const identity = (bytes: Buffer): Buffer => bytes;
    const call = emulator.wire().makeBidiStreamRequest('/event_store.client.streams.Streams/BatchAppend', identity, identity);
    const failed = new Promise((resolve) => call.on('error', resolve));
    call.write(Buffer.from('ffffffffff', 'hex'));
    expect(await failed).toMatchObject({ code: status.UNKNOWN, details: 'Exception was thrown by handler.' });
  });
});
