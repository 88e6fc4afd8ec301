import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topics } from '@svc/contracts/events/envelope';
import { goldenEvents } from '@svc/contracts/testing/golden';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { idempotencyRows, type IdempotencyRow } from '../idempotency/row.ts';
import type { Gateway } from '../open-gateway.ts';
import { ErasedCustomers } from './customer.ts';

const golden = goldenEvents(topics.customer);

const folder = mkdtempSync(join(tmpdir(), 'svc-gateway-golden-'));
const engine = Engine.open(folder, { durable: false });
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

test('there is a golden event of an erasure', () => {
  expect(golden.map(({ type }) => type)).toContain('invoicing.customer-erased.v1');
});

test.each(golden.map((event) => [event.type, event] as const))('%s: only an erasure deletes the kept answer', async (type, event) => {
  const rows = idempotencyRows(embeddedDocumentStore(engine, 'svc_gateway'));
  const answer = { status: 201, headers: {}, body: JSON.stringify({ id: event.subject, name: 'Ana Secret' }), sealed: false };
  const row = {
    _id: event.id,
    version: 1,
    subject: event.subject,
    answer,
    fingerprint: 'f',
    command: 'c',
    until: 0,
    due_at: 1,
    token: null,
  };
  await rows.insert(row as unknown as IdempotencyRow);
  await new ErasedCustomers({ idempotencyRows: rows } as Gateway).on([event]);
  expect((await rows.get(event.id))?.answer).toEqual(type === 'invoicing.customer-erased.v1' ? null : answer);
});
