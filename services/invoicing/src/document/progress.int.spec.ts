import type { Progress } from '@svc/contracts/document/progress';
import { serve } from '../testing/serve.ts';
import { registration } from './testing/outcomes.ts';
import { items, type Kind, kinds, reportedDocuments } from './testing/reported.ts';

const served = serve();
const { call, system } = served;
const asked: object[] = [];
let answer: () => Promise<Progress | undefined>;
beforeAll(() => served.start());
afterAll(() => served.stop());

const progress = { attempts: 13, last_attempt_at: '2026-01-16T12:05:00.000Z', next_attempt_at: '2026-01-16T12:10:00.000Z' };
beforeEach(() => {
  asked.length = 0;
  answer = async () => progress;
  system.context.progressOf = (document) => {
    asked.push(document);
    return answer();
  };
});

const { account, submitted, report } = reportedDocuments(served);
const delayed = (over: object) => ({ round: 1, status: 'unknown', error: null, next_attempt_at: null, ...over });
const read = (kind: Kind, id: string) => call(`GET /${kind}s/{id}`, { id });
const fiscalOf = ({ body }: { body: Record<string, unknown> }) => body['fiscal'] as Record<string, unknown>;

describe.each(kinds)('%s', (kind) => {
  test('while it is pending, unknown or voiding, a read shows the attempts as of now by one look-up; version and ETag stay', async () => {
    const id = await submitted(kind);
    const before = (await call(`GET /${kind}s`)).body['data'] as { id: string; version: number; fiscal: object }[];
    const pending = await read(kind, id);
    expect(fiscalOf(pending)).toMatchObject({ status: 'pending', ...progress });
    const listed = before.find((one) => one.id === id);
    expect([pending.body['version'], pending.headers.etag]).toEqual([listed?.version, `"${listed?.version}"`]);
    await report(kind, id, 'document-delayed', delayed({}));
    expect(fiscalOf(await read(kind, id))).toMatchObject({ status: 'unknown', ...progress });
    await report(kind, id, 'document-registered', { ...registration, attempts: 14 });
    expect(fiscalOf(await read(kind, id))).toMatchObject({ status: 'registered', attempts: 14 });
    await call(`POST /${kind}s/{id}/void`, { id, body: { reason: 'entered twice' } });
    expect(await read(kind, id)).toMatchObject({ body: { status: 'voiding', fiscal: progress } });
    const ref = { account, env: 'test', id };
    expect(asked).toMatchObject([ref, ref, ref]);
  });

  test('lists, histories and answers to commands ask for nothing, and show the last news', async () => {
    const id = await submitted(kind);
    await report(kind, id, 'document-delayed', delayed({ attempts: 4, error: { code: 'CERT', message: 'm', fixable: 'credentials' } }));
    const { body: list } = await call(`GET /${kind}s`);
    expect((list['data'] as { id: string }[]).find((one) => one.id === id)).toMatchObject({
      fiscal: { status: 'unknown', attempts: 4, error: { code: 'CERT', fixable: 'credentials' } },
    });
    const { body: history } = await call(`GET /${kind}s/{id}/events`, { id });
    expect((history['data'] as object[]).at(-1)).toMatchObject({ type: 'delayed', changes: { fiscal: { attempts: 4 } } });
    expect(asked).toEqual([]);
  });

  test.each<[string, () => Promise<Progress | undefined>]>([
    ['does not know it', async () => undefined],
    ['is away', () => Promise.reject(new Error('away'))],
    ['does not answer', () => new Promise(() => undefined)],
  ])('shows the last news where fiscal-submission %s', async (_, given) => {
    const id = await submitted(kind);
    await report(kind, id, 'document-delayed', delayed({ attempts: 2 }));
    answer = given;
    expect(fiscalOf(await read(kind, id))).toMatchObject({ status: 'unknown', attempts: 2, next_attempt_at: null });
  });

  test('in a process of its own it asks nobody', async () => {
    delete system.context.progressOf;
    const id = await submitted(kind);
    expect(fiscalOf(await read(kind, id))).toMatchObject({ status: 'pending', attempts: 0 });
  });
});

test('a draft is at rest', async () => {
  const { body } = await call('POST /invoices', { body: { customer_id: await served.customer(), items } });
  await read('invoice', String(body['id']));
  expect(asked).toEqual([]);
});

test('an invoice written back as it was read, it changes nothing', async () => {
  const id = await submitted('invoice');
  const { body, headers } = await read('invoice', id);
  expect(fiscalOf({ body })['attempts']).toBe(13);
  expect(await call('PATCH /invoices/{id}', { id, body })).toMatchObject({ status: 200, headers: { etag: headers.etag } });
});
