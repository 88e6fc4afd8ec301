import { streamOf, type EventMetadata } from '@svc/kernel';
import fc from 'fast-check';
import { metadataOf, shortMetadata } from './short-metadata.ts';

describe('metadata of stored events', () => {
  const account = 'acct_01m8a1neane3wsxxgvxwdvvgrr';
  const stream = streamOf('invoice', 'test', account, 'inv_1');
  const read = (metadata: EventMetadata): EventMetadata => metadataOf(stream, shortMetadata(stream, metadata));

  test('any metadata is read as it was written', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '0', 'test', account));
    const tenant = fc.record({ account: fc.oneof(fc.constant(account), text), env: fc.constantFrom('test' as const, 'live' as const) });
    const rest = fc.record(
      {
        command_id: text,
        request_id: text,
        actor: fc.record(
          { type: fc.constantFrom('api_key' as const, 'member' as const, 'system' as const), id: text, added_later: text },
          { requiredKeys: ['type', 'id'] },
        ),
        ...{ traceparent: text, causation: text, subject: text },
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.nat(), tenant, rest, (v, of, more) => {
        const metadata = { v, ...of, ...more };
        expect(read(metadata)).toEqual(JSON.parse(JSON.stringify(metadata)));
      }),
    );
  });

  test('the metadata of a request takes less than half of its JSON', () => {
    const metadata: EventMetadata = {
      ...{ v: 2, account, env: 'test', command_id: '01m87f8z7ge3kbe7b694fbaafd', request_id: 'req_01m87f8z7ge3kbe7cbtgj021ck' },
      actor: { type: 'api_key', id: 'key_01m87f8z7ge3kbe7cbtgj021ck' },
    };
    expect(shortMetadata(stream, metadata).length).toBeLessThan(JSON.stringify(metadata).length * 0.55);
    expect(read(metadata)).toEqual(metadata);
  });
});
