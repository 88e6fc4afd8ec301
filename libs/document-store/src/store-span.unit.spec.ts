import { context, SpanKind } from '@opentelemetry/api';
import { Denied, OutcomeUnknown, DomainError } from '@svc/kernel';
import { inStoreSpan } from './store-span.ts';
import { keepSpans } from './testing/traced.ts';

const { inRequest, request, spans } = keepSpans();
const call = () => ({ system: 'mongodb', operation: 'find', collection: 'invoices', namespace: 'svc_invoicing' });
const called = <T>(work: () => Promise<T>): Promise<T> => inRequest(() => inStoreSpan(call, work));

describe('span of a store call', () => {
  test('is a client span below the current one, by the semantic conventions for databases', async () => {
    expect(await called(async () => 1)).toBe(1);
    const [span] = spans();
    expect([span?.name, span?.kind, span?.parentSpanContext?.spanId]).toEqual([
      'find invoices',
      SpanKind.CLIENT,
      request()?.spanContext().spanId,
    ]);
    expect(span?.attributes).toEqual({
      'db.system.name': 'mongodb',
      'db.operation.name': 'find',
      'db.collection.name': 'invoices',
      'db.namespace': 'svc_invoicing',
    });
  });

  test('names the server where there is one', async () => {
    const server = { address: 'db.example', port: 27017 };
    await inRequest(() =>
      inStoreSpan(
        () => ({ ...call(), namespace: '', server }),
        async () => undefined,
      ),
    );
    expect(spans()[0]?.attributes).toMatchObject({ 'server.address': 'db.example', 'server.port': 27017 });
    expect(spans()[0]?.attributes).not.toHaveProperty('db.namespace');
  });

  test.each([
    [new Denied({ server: 'MongoDB', user: 'u', right: null, code: 18 }), '18', '18'],
    [Object.assign(new Error('no secret-1'), { code: 14 }), '14', '14'],
    [new DomainError('service_unavailable', 'no secret-1'), 'service_unavailable', undefined],
    [new OutcomeUnknown('no decision on secret-1'), 'OutcomeUnknown', undefined],
  ])('records the kind of an error without its text, and rethrows it: %s', async (error, type, status) => {
    await expect(called(() => Promise.reject(error))).rejects.toBe(error);
    const [span] = spans();
    expect([span?.status, span?.attributes['error.type'], span?.attributes['db.response.status_code']]).toEqual([
      { code: 2 },
      type,
      status,
    ]);
    expect(span?.events).toEqual([]);
    expect(JSON.stringify(span?.attributes)).not.toContain('secret-1');
  });

  test('is absent without a recorded parent span, and below one that has ended', async () => {
    expect(await inStoreSpan(call, async () => 1)).toBe(1);
    const late = await inRequest(async () => context.active());
    await context.with(late, () => inStoreSpan(call, async () => undefined));
    expect(spans()).toEqual([]);
  });
});
