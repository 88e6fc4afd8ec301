import { DomainError } from '@svc/kernel';
import { customerResource } from '../resource.ts';
import { customerDecider, type CustomerCommand } from './decide.ts';
import type { CustomerEvent } from './events.ts';
import type { CustomerBody } from './fields.ts';
import type { CustomerState } from './state.ts';

const at = '2026-01-15T12:00:00.000Z';
const later = '2026-01-16T12:00:00.000Z';
const full = {
  name: 'Blue Heron',
  email: 'a@heron.example',
  tax_id: 'J99216582',
  language: 'es',
  address: { line1: 'Calle 1', city: 'Madrid', country: 'ES' },
  metadata: { a: '1', b: '2' },
};
const known = (country: string, taxId: string) => country !== 'ES' || taxId === 'J99216582';

const create = (body: CustomerBody = full): CustomerCommand => ({
  type: 'create',
  at,
  id: 'cust_1',
  livemode: false,
  body,
  isTaxId: known,
});
const update = (body: CustomerBody): CustomerCommand => ({ type: 'update', at: later, body, isTaxId: known });

function given(...events: CustomerEvent[]) {
  const state = events.reduce(customerDecider.evolve, customerDecider.initialState);
  return {
    state,
    when(command: CustomerCommand) {
      const decided = customerDecider.decide(command, state);
      return { events: decided, state: decided.reduce(customerDecider.evolve, state) as CustomerState };
    },
    refuses(command: CustomerCommand): DomainError {
      try {
        customerDecider.decide(command, state);
      } catch (error) {
        if (error instanceof DomainError) return error;
        throw error;
      }
      throw new Error('it was not refused');
    },
  };
}
const created = given().when(create()).events;

describe('a customer', () => {
  test('is created with the given fields; the others are null', () => {
    const { events, state } = given().when(create({ name: 'Heron' }));
    expect(events.map(({ type }) => type)).toEqual(['CustomerCreated']);
    expect(state).toEqual({
      id: 'cust_1',
      livemode: false,
      personal: { name: 'Heron', email: null, phone: null, tax_id: null, address: null },
      language: null,
      metadata: {},
      created_at: at,
      updated_at: at,
      deleted_at: null,
      erased_at: null,
    });
  });

  test('personal data is stored under `personal`, the part that is encrypted', () => {
    const [event] = created;
    const { personal: _, ...clear } = event?.data as unknown as Record<string, unknown>;
    for (const value of ['Blue Heron', 'a@heron.example', 'J99216582', 'Calle 1']) expect(JSON.stringify(clear)).not.toContain(value);
  });

  test('objects are merged, null removes a field, an absent field stays', () => {
    const { state } = given(...created).when(
      update({ email: null, address: { city: 'Toledo', line1: null }, metadata: { a: null, c: '3' } }),
    );
    expect(state.personal).toEqual({
      name: 'Blue Heron',
      email: null,
      phone: null,
      tax_id: 'J99216582',
      address: { line1: null, line2: null, city: 'Toledo', postal_code: null, region: null, country: 'ES' },
    });
    expect([state.metadata, state.language, state.created_at, state.updated_at]).toEqual([{ b: '2', c: '3' }, 'es', at, later]);
  });

  test.each<CustomerCommand>([update({ metadata: { c: '3' } }), { type: 'delete', at: later }, { type: 'erase', at: later }])(
    'after $type the last event holds the whole state',
    (command) => {
      const before = given(...created);
      const { events, state } = before.when(command);
      expect(events).toHaveLength(1);
      expect(given(...events).state).toEqual(state);
    },
  );

  test.each<CustomerBody>([
    {},
    { name: 'Blue Heron' },
    { metadata: { a: '1' } },
    { metadata: { none: null } },
    { address: { city: 'Madrid' } },
    { phone: null },
  ])('a patch that changes nothing appends nothing: %j', (body) => expect(given(...created).when(update(body)).events).toEqual([]));

  test('a tax id is checked only when it or its country changes', () => {
    const wrong = { tax_id: 'J99216583' };
    expect(given().refuses(create({ ...full, ...wrong })).details).toHaveProperty('tax_id');
    expect(given(...created).refuses(update(wrong)).details).toHaveProperty('tax_id');
    const elsewhere = given().when(create({ ...full, ...wrong, address: { country: 'AQ' } })).events;
    expect(given(...elsewhere).refuses(update({ address: { country: 'ES' } })).details).toHaveProperty('tax_id');
    expect(given(...elsewhere).when(update({ address: null })).state.personal?.tax_id).toBe('J99216583');
  });

  test('may say what kind of number its tax id is, which none but a VAT or national one has a rule for, and who it is', () => {
    const passport = { ...full, tax_id: 'J99216583', tax_id_kind: 'passport' as const, kind: 'person' as const };
    const { events, state } = given().when(create(passport));
    expect(customerResource(state, 1)).toMatchObject({ tax_id_kind: 'passport', kind: 'person' });
    expect(given(...events).when(update({ name: 'Egret' })).state.personal).toMatchObject({ tax_id_kind: 'passport', kind: 'person' });
    const { personal } = given(...events).when(update({ tax_id: full.tax_id, tax_id_kind: null, kind: null })).state;
    expect([personal?.tax_id_kind, personal?.kind]).toEqual([undefined, undefined]);
    expect(given().refuses(create({ ...passport, tax_id_kind: 'vat' })).details).toHaveProperty('tax_id');
  });

  describe('has further tax ids', () => {
    const german = { country: 'DE', value: 'DE136695976', kind: 'vat' as const };
    const wrong = { country: 'ES', value: 'J99216583', kind: 'national' as const };

    test('that are personal data, replaced whole, and absent where there are none', () => {
      const { state, events } = given().when(create({ name: 'Heron', tax_ids: [german, { ...wrong, kind: 'passport' }] }));
      expect(state.personal?.tax_ids).toEqual([german, { ...wrong, kind: 'passport' }]);
      const { personal: _, ...clear } = events[0]!.data as { personal: object };
      expect(JSON.stringify(clear)).not.toContain(german.value);
      expect(given(...events).when(update({ tax_ids: [german] })).state.personal?.tax_ids).toEqual([german]);
      expect(given(...events).when(update({ name: 'Egret' })).state.personal?.tax_ids).toHaveLength(2);
      for (const tax_ids of [null, []]) expect(given(...events).when(update({ tax_ids })).state.personal).not.toHaveProperty('tax_ids');
      expect(given(...created).when(update({ tax_ids: [] })).events).toEqual([]);
    });

    test('that are judged by their own country, unless they are passports or others, or stored', () => {
      expect(given().refuses(create({ ...full, tax_ids: [german, wrong] })).details).toEqual({ 'tax_ids.1.value': [expect.any(String)] });
      const elsewhere = given().when({ ...create({ ...full, tax_ids: [wrong] }), isTaxId: () => true } as CustomerCommand).events;
      const { state } = given(...elsewhere).when(update({ tax_ids: [german, wrong] }));
      expect(state.personal?.tax_ids).toEqual([german, wrong]);
    });

    test('none of which a customer of the previous release has, and none once erased', () => {
      expect(customerResource(given(...created).state!, 1).tax_ids).toEqual([]);
      const { events } = given().when(create({ ...full, tax_ids: [german] }));
      const { state } = given(...events).when({ type: 'erase', at: later });
      expect(customerResource(state, 2).tax_ids).toEqual([]);
    });
  });

  test('the name cannot be removed, and merging cannot raise metadata above 50 pairs', () => {
    expect(given(...created).refuses(update({ name: null } as never)).details).toHaveProperty('name');
    const more = Object.fromEntries(Array.from({ length: 49 }, (_, n) => [`k${n}`, 'v']));
    expect(given(...created).refuses(update({ metadata: more })).details).toHaveProperty('metadata');
    expect(given(...created).when(update({ metadata: null })).state.metadata).toEqual({});
  });

  test('deleting is always possible, appends nothing when repeated, and ends all changes', () => {
    const { events, state } = given(...created).when({ type: 'delete', at: later });
    expect([state.deleted_at, state.updated_at, state.personal?.name]).toEqual([later, later, 'Blue Heron']);
    const deleted = given(...created, ...events);
    expect(deleted.when({ type: 'delete', at: later }).events).toEqual([]);
    expect(deleted.refuses(update({ name: 'Other' })).code).toBe('invalid_state');
  });

  test('erasing also deletes, and keeps the time of an earlier deletion', () => {
    const { events, state } = given(...created).when({ type: 'erase', at: later });
    expect([state.personal, state.deleted_at, state.erased_at]).toEqual([null, later, later]);
    expect(given(...created, ...events).when({ type: 'erase', at: later }).events).toEqual([]);
    const deleted = given(...created, ...given(...created).when({ type: 'delete', at }).events);
    expect(deleted.when({ type: 'erase', at: later }).state.deleted_at).toBe(at);
  });

  test('personal data without its key is null in every event', () => {
    const { state } = given(...created.map((event) => ({ ...event, data: { ...event.data, personal: null } }) as CustomerEvent));
    expect([state?.personal, state?.metadata]).toEqual([null, { a: '1', b: '2' }]);
  });
});
