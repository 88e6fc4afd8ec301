import { FakeClock, type Uid } from '@svc/kernel';
import type { Identity } from '@svc/service';
import { auditedChange } from './audited-change.ts';
import type { Endpoint } from './endpoint.ts';

test('the audit has no token of an address, and a name of at most 255 characters', () => {
  const url = 'https://user:secret@hooks.example.com/path?token=secret';
  const endpoint = { _id: 'we_1', url, description: 'x'.repeat(2_000), status: 'enabled', events: ['*'] } as unknown as Endpoint;
  const identity = { actor: { type: 'member', id: 'mem_1' }, requestId: 'req_1', commandId: '0190a0a0a0a07000800000000000abcd' as Uid };
  const { unpublished } = auditedChange(undefined, endpoint, 'created', identity as unknown as Identity, new FakeClock());
  expect(JSON.stringify(unpublished)).not.toContain('secret');
  expect(unpublished?.[0]?.changes['url']).toEqual({ from: null, to: 'https://hooks.example.com/path' });
  expect(unpublished?.[0]?.target.name).toHaveLength(255);
});
