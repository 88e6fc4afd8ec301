import { MongoNetworkError, MongoOperationTimeoutError, MongoServerError } from 'mongodb';
import { Denied, OutcomeUnknown } from '@svc/kernel';
import { keepSpans } from '../testing/traced.ts';
import { reading, writing } from './attempt.ts';

const task = { what: 'a write to svc_test.rows', user: 'invoicing' };
const refusal = (code: number) =>
  new MongoServerError({ code, message: 'not authorized to execute command { insert: "rows", secret: 1 }' });
/** Fails with these errors in turn. */
const failing =
  (...errors: Error[]) =>
  async (): Promise<never> => {
    throw errors.shift() ?? new Error('tried too often');
  };

describe('a MongoDB that denies its user', () => {
  test.each([
    [13, 'MongoDB does not let the user invoicing do a write to svc_test.rows (13). Grant it this right.'],
    [18, 'MongoDB does not accept the user invoicing, or its password (18).'],
    [8000, 'MongoDB does not accept the user invoicing, or its password (8000).'],
  ])('with %i is unavailable: tried once, with an error that names the user and nothing of the command', async (code, message) => {
    const denied = expect.objectContaining({ name: 'Denied', statusCode: 503, message }) as unknown;
    await expect(reading(task, failing(refusal(code)))).rejects.toEqual(denied);
    await expect(writing(task, failing(refusal(code)))).rejects.toEqual(denied);
  });

  test('after a try without an answer leaves the outcome unknown', async () => {
    const lost = new MongoNetworkError('the connection broke');
    await expect(writing(task, failing(lost, refusal(13)))).rejects.toBeInstanceOf(OutcomeUnknown);
    await expect(reading(task, failing(lost, refusal(13)))).rejects.toBeInstanceOf(Denied);
  });

  test('an error of another kind is a defect, and its text quotes nothing', async () => {
    await expect(writing(task, failing(refusal(66)))).rejects.toThrow(/^a write to svc_test.rows: MongoDB refuses it: 66$/);
  });
});

describe('the span of an operation', () => {
  const { inRequest, spans } = keepSpans();
  const call = { system: 'mongodb', operation: 'update', collection: 'rows', namespace: 'svc_test' };
  const traced = { ...task, call };

  test('is one for all tries', async () => {
    const tries = [new MongoNetworkError('the connection broke')];
    const work = async (): Promise<number> => {
      for (const error of tries.splice(0)) throw error;
      return 1;
    };
    expect(await inRequest(() => reading(traced, work))).toBe(1);
    expect(spans().map(({ name, status }) => [name, status.code])).toEqual([['update rows', 0]]);
  });

  test.each([
    [refusal(13), '13'],
    [new MongoOperationTimeoutError('secret'), 'OutcomeUnknown'],
  ])('records the failure without its text: %s', async (error, type) => {
    await expect(inRequest(() => writing(traced, failing(error)))).rejects.toThrow();
    expect(spans().map(({ attributes }) => attributes['error.type'])).toEqual([type]);
    expect(JSON.stringify(spans().map(({ attributes, events }) => [attributes, events]))).not.toContain('secret');
  });
});
