import { rowAfterAll } from '@svc/event-store/testing/row-after';
import { UnknownEvent } from '@svc/kernel';
import { customerFilter, customersProjection, type CustomerRow } from './list.ts';
import type { CustomerEvent } from './domain/events.ts';

const at = '2026-01-15T12:00:00.000Z';
const id = 'cust_01jh2k3m4n5p6q7r8s9t0v1w2x';
const personal = { name: 'ÉCLAIR SARL', email: 'a@b.example', phone: null, tax_id: 'X1', address: null };
const created: CustomerEvent = { type: 'CustomerCreated', data: { at, id, livemode: false, personal, language: null, metadata: {} } };

const { at: _, ...fields } = created.data;
/** The customer after a change. */
const changed = (to: object) => ({ at, ...fields, created_at: at, deleted_at: null, erased_at: null, ...to });

const recorded = ({ type, data }: { type: string; data: object }, n: number) => ({
  id: String(n),
  type,
  data,
  metadata: { v: 1, account: 'acct_1', env: 'test' as const, subject: id },
  stream: `customer-test.acct_1.${id}`,
  revision: BigInt(n),
  recordedAt: 0,
  bytes: 0,
  position: BigInt(n + 1),
});
const rowAfter = (...events: { type: string; data: object }[]): CustomerRow | undefined =>
  rowAfterAll(customersProjection, events.map(recorded));

describe('a row of the customer list', () => {
  test('a created customer is found by its fields', () =>
    expect(rowAfter(created)).toMatchObject({
      _id: id,
      version: 1,
      account: 'acct_1',
      env: 'test',
      subject: id,
      created_at: at,
      deleted: false,
      email: 'a@b.example',
      tax_id: 'X1',
      name_key: 'éclair sarl',
    }));

  test('is found by its email in any case and its tax id written in any way', () => {
    const others = { name: 'Straße İZMİR', email: 'Ana+Shop@Straße.example', tax_id: 'b-58.378/431' };
    const row = rowAfter({ ...created, data: { ...created.data, personal: { ...personal, ...others } } } as CustomerEvent);
    expect(row).toMatchObject(customerFilter({ email: ['ANA+SHOP@STRASSE.EXAMPLE'], tax_id: ['B 58378431', 'b.58378431'] }));
    expect(row).toMatchObject(customerFilter({ email: ['ana shop@straße.example'], tax_id: ['B\u201358378431'] }));
  });

  test('an updated customer is found by its new fields', () => {
    const row = rowAfter(created, { type: 'CustomerUpdated', data: changed({ personal: { ...personal, email: null, name: 'Brie' } }) });
    expect(row).toMatchObject({ version: 2, email: null, name_key: 'brie', tax_id: 'X1', created_at: at });
  });

  test('a deleted customer stays, marked as deleted', () =>
    expect(rowAfter(created, { type: 'CustomerDeleted', data: changed({ deleted_at: at }) })).toMatchObject({
      version: 2,
      deleted: true,
      name_key: 'éclair sarl',
    }));

  test('the row of an erased customer holds no personal data', () => {
    const row = rowAfter(created, { type: 'CustomerErased', data: changed({ personal: null, deleted_at: at, erased_at: at }) });
    expect(row).toMatchObject({ deleted: true, email: null, tax_id: null, name_key: null });
    for (const text of ['CLAIR', 'clair', 'a@b', 'X1']) expect(JSON.stringify(row)).not.toContain(text);
  });

  test('throws for an event of a later release', () => {
    expect(() => rowAfter(created, { type: 'CustomerBlessed', data: { at } })).toThrow(UnknownEvent);
  });
});
