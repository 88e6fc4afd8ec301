import { verifyWebhook } from '@svc/client';
import { iso, soon } from '@svc/kernel';
import type { Identity } from '@svc/service';
import { answer, ring } from '../delivery/testing/process.ts';
import { RecoveriesController } from '../recovery/http.ts';
import { eventIn, type Killed, killedAtEachWrite, least, type Process, SECRET, stores } from '../recovery/testing/killed.ts';
import { HOUR_MS } from './domain/endpoint.ts';
import { decrypted, type Endpoint } from './endpoint.ts';
import { EndpointsController } from './http.ts';

const MINUTE = 60_000;
/** When what waits is due: behind what processes do here. */
const DUE_MS = 5 * MINUTE;

type Route = 'update' | 'enable' | 'rotate' | 'delete';
/** A request for the endpoint. */
const ask =
  (route: Route, body: object = {}) =>
  ({ context, worker }: Process, identity: Identity) =>
    new EndpointsController(context, worker)[route]({ identity, params: { id: 'we_1' }, body } as never);

const waits = async (on: Killed): Promise<void> => void (await on.pending(3, DUE_MS));
const statuses = async (on: Killed): Promise<string[]> => (await on.rows()).map(({ status }) => status);
const audited = (on: Killed): unknown[] => [...on.audited.values()].map(({ action, changes }) => [action, Object.keys(changes)]);

/** What the audit has, and nothing waits for it. */
async function expectAudited(on: Killed, ...expected: unknown[]): Promise<Endpoint> {
  const endpoint = await on.endpoint();
  expect([audited(on), endpoint.unpublished]).toEqual([expected, undefined]);
  return endpoint;
}

/** Enables it, and recovers what it has missed: each of its three events has come then. */
async function expectNothingLost(on: Killed, process: Process): Promise<void> {
  on.answers = () => answer(200);
  await ask('enable')(process, on.identity());
  const request = { identity: on.identity(), params: { id: 'we_1' }, body: { since: iso(on.clock.now() - HOUR_MS) }, turn: soon };
  await new RecoveriesController(process.context, process.worker).recover(request as never);
  await on.pass(2 * MINUTE);
  expect(await statuses(on)).toEqual(Array(3).fill('succeeded'));
  expect(new Set(on.sent.map(eventIn)).size).toBe(3);
}

describe.each(stores)('at whichever write a process on %s is killed', (store) => {
  test('that rotates a secret, its repeat shows the one that signs, which is stored encrypted alone', async () => {
    const kills = await killedAtEachWrite(store, {
      ...{ prepare: waits, command: ask('rotate'), works: 2_000 },
      async holds(on, { secret = '' }) {
        const endpoint = await expectAudited(on, ['webhook_endpoint.secret_rotated', []]);
        expect(decrypted(endpoint, endpoint.secret, ring)).toBe(secret);
        expect(endpoint.old_secrets?.map((old) => decrypted(endpoint, old.secret, ring))).toEqual([SECRET]);
        expect(on.inClear()).toEqual([]);
        await on.pass(DUE_MS);
        const now = new Date(on.clock.now());
        for (const request of on.sent) expect(verifyWebhook(request, secret, { now })).toMatchObject({ type: 'customer.created' });
        expect([await statuses(on), on.sent.length]).toEqual([Array(3).fill('succeeded'), 3]);
      },
    });
    expect(kills).toBeGreaterThan(least(store, 2));
  });

  test('that disables the endpoint by a request, nothing is sent, and a recovery brings all of it', async () => {
    const kills = await killedAtEachWrite(store, {
      ...{ prepare: waits, command: ask('update', { status: 'disabled' }), works: 15_000 },
      async holds(on, _, next) {
        const endpoint = await expectAudited(on, ['webhook_endpoint.updated', ['status', 'disabled_reason']]);
        expect([endpoint.status, typeof endpoint.cleared_at]).toEqual(['disabled', 'string']);
        await on.pass(DUE_MS);
        expect([await statuses(on), on.sent]).toEqual([Array(3).fill('cancelled'), []]);
        await expectNothingLost(on, next);
      },
    });
    expect(kills).toBeGreaterThan(least(store, 4));
  });

  test('that enables it, while a disabling is not done yet, it receives, and what was not cancelled comes once', async () => {
    const kills = await killedAtEachWrite(store, {
      async prepare(on) {
        await waits(on);
        await on.context.endpoints.claim({ _id: 'we_1' }, { set: { status: 'disabled', disabled_reason: 'x', cleared_at: null } });
      },
      ...{ command: ask('enable'), works: 15_000 },
      async holds(on, _, next) {
        const endpoint = await expectAudited(on, ['webhook_endpoint.updated', ['status', 'disabled_reason']]);
        expect([endpoint.status, endpoint.disabled_reason]).toEqual(['enabled', null]);
        await on.pass(DUE_MS);
        const left = (await statuses(on)).filter((status) => status !== 'cancelled');
        expect([left, on.sent.length]).toEqual([Array(left.length).fill('succeeded'), left.length]);
        await expectNothingLost(on, next);
      },
    });
    expect(kills).toBeGreaterThan(least(store, 2));
  });

  test('that deletes it, nothing is sent to it any more', async () => {
    const kills = await killedAtEachWrite(store, {
      ...{ prepare: waits, command: ask('delete'), works: 15_000 },
      async holds(on) {
        const endpoint = await expectAudited(on, ['webhook_endpoint.deleted', []]);
        expect([endpoint.deleted, endpoint.place, typeof endpoint.cleared_at]).toEqual([true, 'gone-we_1', 'string']);
        await on.pass(DUE_MS);
        expect([await statuses(on), on.sent]).toEqual([Array(3).fill('cancelled'), []]);
      },
    });
    expect(kills).toBeGreaterThan(least(store, 4));
  });

  test.each<[string, number, readonly number[], Partial<Endpoint>, string]>([
    [
      '500 for 120 hours',
      500,
      [MINUTE, 5 * MINUTE],
      { failing_since: iso(Date.UTC(2026, 0, 10)), failure: 'it answered 500' },
      '120 hours',
    ],
    ['410 to the end', 410, [], {}, '410'],
  ])(
    'that disables it because it answers %s, it is disabled once, for that reason, and a recovery brings all of it',
    async (_why, status, delays, before, reason) => {
      const kills = await killedAtEachWrite(store, {
        delays,
        async prepare(on) {
          on.answers = () => answer(status);
          await on.pending(1, 0);
          await on.pending(2, DUE_MS);
          await on.context.endpoints.claim({ _id: 'we_1' }, { set: before });
        },
        ...{ command: async () => undefined, works: 15_000 },
        async holds(on, _, next) {
          await on.pass(MINUTE);
          const endpoint = await on.endpoint();
          expect([endpoint.status, endpoint.disabled_reason]).toEqual(['disabled', expect.stringContaining(reason)]);
          await expectAudited(on, ['webhook_endpoint.updated', ['status', 'disabled_reason']]);
          const sent = on.sent.length;
          await on.pass(DUE_MS);
          expect([on.sent.length, await on.context.deliveries.count({ status: 'pending' })]).toEqual([sent, 0]);
          const cancelled = (await statuses(on)).filter((one) => one === 'cancelled').length;
          expect([2, 3]).toContain(cancelled);
          await expectNothingLost(on, next);
        },
      });
      expect(kills).toBeGreaterThan(least(store, 4));
    },
  );
});
