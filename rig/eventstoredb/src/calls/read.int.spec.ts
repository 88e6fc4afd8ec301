import { randomUUID } from 'node:crypto';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import { until } from '@svc/kernel/testing/until';
import { batches, chunk, collect, following, ofAllFrom, ofStream, openEmulator, reading, streamIdentifier } from '../testing/wire.ts';

describe('Read on the wire', () => {
  let emulator: Awaited<ReturnType<typeof openEmulator>>;
  beforeAll(async () => void (emulator = await openEmulator()));
  afterAll(() => emulator.close());

  /** Appends events and returns the position of the last one. */
  const append = async (stream: string, ...types: string[]): Promise<number> => {
    const { call, answers } = batches(emulator.wire());
    call.write(chunk({ id: randomUUID(), stream, events: types.map((type) => ({ type })) }));
    await until(() => answers.length === 1);
    call.cancel();
    return Number(answers[0]?.getSuccess()?.getPosition()?.getCommitPosition());
  };
  const read = (options: InstanceType<typeof streams.ReadReq.Options>) => collect(emulator.wire(), options);
  const typesIn = (messages: InstanceType<typeof streams.ReadResp>[]): (string | undefined)[] =>
    messages.filter((message) => message.hasEvent()).map((message) => message.getEvent()?.getEvent()?.getMetadataMap().get('type'));

  test('refuses a position where no event begins; past the end is the end', async () => {
    const position = await append('odd', 'A');
    const odd = await read(ofAllFrom(position - 1).setCount('5')).over;
    expect(odd).toMatchObject({ code: status.UNKNOWN, details: 'Unexpected ReadAllResult: Error' });
    const oddSubscription = await read(following(ofAllFrom(position - 1))).over;
    expect(oddSubscription).toMatchObject({ code: status.UNKNOWN, details: 'Exception was thrown by handler.' });
    const past = read(ofAllFrom(position + 1_000_000).setCount('5'));
    expect([await past.over, past.messages]).toEqual([undefined, []]);
  });

  test('sends the next event to a subscription from past the end', async () => {
    const past = read(following(ofAllFrom(2 ** 40)));
    await until(() => past.messages.some((message) => message.hasCaughtUp()));
    await append('past', 'Next');
    await until(() => typesIn(past.messages).length > 0);
    expect(typesIn(past.messages)).toEqual(['Next']);
    past.cancel();
  });

  test('treats prepare 0 as before the event at a position, and the position itself as after it', async () => {
    const position = await append('before', 'At');
    await append('before', 'After');
    const before = read(following(ofAllFrom(position, 0)));
    const after = read(following(ofAllFrom(position)));
    await until(() => [before, after].every(({ messages }) => messages.some((message) => message.hasCaughtUp())));
    expect([typesIn(before.messages), typesIn(after.messages)]).toEqual([['At', 'After'], ['After']]);
    before.cancel();
    after.cancel();
  });

  test('fails for a stream read of no event, and for a filter on a stream', async () => {
    await append('none', 'A');
    expect(await read(ofStream('none').setCount('0')).over).toMatchObject({
      code: status.UNKNOWN,
      details: 'Unexpected ReadStreamResult: Error',
    });
    const filter = new streams.ReadReq.Options.FilterOptions().setMax(32).setCheckpointintervalmultiplier(1);
    const wrong = await read(ofStream('none').setCount('1').setFilter(filter)).over;
    expect(wrong).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: 'The combination of (Stream, Count, Forwards, Filter) is invalid.',
    });
  });

  test('reads $all with a filter', async () => {
    await append('filtered', 'Filtered.A', 'Other', 'Filtered.B');
    const expression = new streams.ReadReq.Options.FilterOptions.Expression().setPrefixList(['Filtered.']);
    const filter = new streams.ReadReq.Options.FilterOptions().setEventType(expression).setMax(32).setCheckpointintervalmultiplier(1);
    const all = new streams.ReadReq.Options.AllOptions().setStart(new shared.Empty());
    const found = read(reading().setAll(all).setCount('10').setFilter(filter));
    await found.over;
    expect(typesIn(found.messages)).toEqual(['Filtered.A', 'Filtered.B']);
  });

  test('sends the last revision to an older client', async () => {
    await append('s', 'A', 'B', 'C');
    const sent = read(ofStream('s').setCount('1').setControlOption(new streams.ReadReq.Options.ControlOption().setCompatibility(1)));
    await sent.over;
    expect(sent.messages.at(-1)?.getLastStreamPosition()).toBe('2');
  });

  test('sends the tombstone to a subscriber, then the error with its trailers', async () => {
    await append('doomed', 'A');
    const subscription = read(following(ofStream('doomed')));
    await until(() => subscription.messages.some((message) => message.hasCaughtUp()));
    const options = new streams.TombstoneReq.Options().setStreamIdentifier(streamIdentifier('doomed')).setAny(new shared.Empty());
    await new Promise((done) => emulator.wire().tombstone(new streams.TombstoneReq().setOptions(options), done));
    const failure = await subscription.over;
    expect(typesIn(subscription.messages)).toEqual(['A', '$streamDeleted']);
    expect(subscription.messages.at(-1)?.getEvent()?.getEvent()?.getStreamRevision()).toBe('9223372036854775807');
    expect(failure?.code).toBe(status.FAILED_PRECONDITION);
    expect(failure?.metadata.getMap()).toMatchObject({ exception: 'stream-deleted', 'stream-name': 'doomed' });
  });

  test('names both revisions when a delete expects another one', async () => {
    await append('kept', 'A', 'B');
    const options = new streams.DeleteReq.Options().setStreamIdentifier(streamIdentifier('kept')).setRevision('7');
    const failure = await new Promise((done) => emulator.wire().delete(new streams.DeleteReq().setOptions(options), done));
    expect(failure).toMatchObject({
      code: status.FAILED_PRECONDITION,
      details: 'Delete failed due to WrongExpectedVersion. Stream: kept, Expected version: 7, Actual version: 1',
    });
  });

  test('has the stream with the same positions after a kill', async () => {
    const position = await append('again', 'A', 'B');
    await emulator.restart();
    const found = read(ofStream('again').setCount('10'));
    await found.over;
    expect(typesIn(found.messages)).toEqual(['A', 'B']);
    expect(found.messages[1]?.getEvent()?.getCommitPosition()).toBe(String(position));
  });
});
