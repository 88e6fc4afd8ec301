import type { PublicEvent } from '@svc/contracts/events/envelope';
import { parseEvent } from '@svc/contracts/testing/parse';
import { fixtureOf } from '@svc/contracts/testing/fixtures';
import { type DeviceRegistrationRequested, DeviceRegistrationRequestedV1 } from '@svc/contracts/registration/requested';
import { iso, systemClock } from '@svc/kernel';
import { register } from '@svc/service';
import { sandboxAuthority } from '../authorities/sandbox/sandbox.ts';
import type { Authority } from './authority.ts';
import type { Result } from './domain/facts.ts';
import { FiscalSystem, type SystemOptions } from '../testing/system.ts';

/** An authority that registers tills: what it answers is its body. */
const authority: Authority = {
  ...(sandboxAuthority('http://127.0.0.1:1') as Authority),
  ...{ id: 'al-cis' },
  till: (till, { id }) => ({ kind: 'till', id, method: 'POST', url: 'http://127.0.0.1:1/till', headers: {}, body: JSON.stringify(till) }),
  read: (_message, _ours, { body }) => JSON.parse(String(body)) as Result,
};

let system: FiscalSystem;
afterEach(() => system.close());
const answers: Result[] = [];
const sent: string[] = [];
beforeEach(() => {
  answers.length = 0;
  sent.length = 0;
});
const http: SystemOptions['http'] = async ({ body = '' }) => {
  sent.push(body);
  return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answers.shift())) };
};
const open = (over: Partial<SystemOptions> = {}): void => {
  system = new FiscalSystem({ simulatorUrl: 'http://127.0.0.1:1', authorities: new Map([['al-cis', authority]]), http, ...over });
};

function requested(over: Partial<DeviceRegistrationRequested> = {}): PublicEvent<DeviceRegistrationRequested> {
  const event = parseEvent(fixtureOf(DeviceRegistrationRequestedV1.type)) as PublicEvent<DeviceRegistrationRequested>;
  return { ...event, account: system.account, data: { ...event.data, requested_at: iso(systemClock.now()), ...over } };
}
const ask = async (event: PublicEvent<DeviceRegistrationRequested>): Promise<void> => system.consumer.on([event]);
const registered = (code = 'cc123cc124'): Result => ({ kind: 'registered', code, registered_at: '2026-03-01T10:00:00.000Z', warnings: [] });
const outcomes = () => system.direct.filter(({ type }) => type.startsWith('fiscal.device-'));
async function outcome(count = 1) {
  for (let n = 0; n < 1_500 && outcomes().length < count; n += 1) await systemClock.sleep(10);
  return outcomes()[count - 1];
}

test('a till is registered as the issuer has set it, and its code is published', async () => {
  open();
  answers.push(registered());
  const event = requested();
  await ask(event);
  const published = await outcome();
  expect(parseEvent(JSON.stringify(published))).toMatchObject({
    type: 'fiscal.device-registered.v1',
    subject: event.data.issuer_id,
    data: { unit: event.data.device.unit, device_code: 'TILL1', authority: 'al-cis', request: 1, authority_code: 'cc123cc124' },
  });
  expect(JSON.parse(sent[0] ?? '')).toEqual({
    ...{ issuer_tax_id: 'L12345678A', unit: 'bb123bb123', internal_id: 'TILL1', type: 'regular', valid_to: null },
    ...{ software_code: 'ss123ss123', maintainer_code: 'mm123mm123', valid_from: '2026-03-01' },
  });
});

test('the answer shows by how much the clocks differ', async () => {
  const date = new Date(systemClock.now() - 300_000).toUTCString();
  open({ http: async () => ({ status: 200, headers: { date }, body: Buffer.from(JSON.stringify(registered())) }) });
  await ask(requested());
  await outcome();
  expect(await register.getSingleMetricAsString('svc_authority_clock_difference_seconds')).toMatch(
    /\{authority="al-cis",env="test"\} 30\d/,
  );
});

test('a refusal is published with what has to be fixed', async () => {
  open();
  answers.push({ kind: 'rejected', error: { code: '43', message: 'The maintainer is not known.', fixable: 'setup' } });
  await ask(requested());
  expect(await outcome()).toMatchObject({ type: 'fiscal.device-refused.v1', data: { error: { code: '43', fixable: 'setup' } } });
});

test('without an answer that can be trusted the same request is sent again; the repeated event changes nothing', async () => {
  open();
  const unknown: Result = { kind: 'unknown', error: { code: 'no_answer', message: '' } };
  answers.push(unknown, unknown, registered());
  const event = requested();
  await ask(event);
  await ask(event);
  expect(await outcome()).toMatchObject({ type: 'fiscal.device-registered.v1' });
  expect(sent).toHaveLength(3);
  expect(new Set(sent).size).toBe(1);
  await ask(event);
  await systemClock.sleep(1_500);
  expect(outcomes()).toHaveLength(1);
});

test('a later request of the till is another one', async () => {
  open();
  answers.push({ kind: 'rejected', error: { code: '43', message: 'no', fixable: 'setup' } }, registered());
  await ask(requested());
  await outcome();
  await ask(requested({ request: 2 }));
  expect(await outcome(2)).toMatchObject({ type: 'fiscal.device-registered.v1', data: { request: 2 } });
  expect(new Set(outcomes().map(({ id }) => id)).size).toBe(2);
});

test('a later request is the one with the higher number, also where the clock was set back, or one counted anew that is later', async () => {
  open();
  answers.push(registered(), registered(), registered());
  const [now, hourAgo] = [systemClock.now(), systemClock.now() - 3_600_000];
  await ask(requested({ requested_at: iso(now) }));
  await outcome();
  const repeated = requested({ request: 2, requested_at: iso(hourAgo) });
  await ask(repeated);
  expect(await outcome(2)).toMatchObject({ data: { request: 2 } });
  await ask(repeated);
  await ask(requested({ request: 1, requested_at: iso(hourAgo - 1) }));
  await ask(requested({ request: 1, requested_at: iso(now + 1) }));
  expect(await outcome(3)).toMatchObject({ data: { request: 1 } });
  expect(sent).toHaveLength(3);
});

test('nothing is sent to an authority that registers no tills here, nor a live till to a test connection', async () => {
  open();
  await ask(requested({ authority: 'me-efi' }));
  expect(await outcome()).toMatchObject({ data: { error: { code: 'authority_not_served', fixable: 'setup' } } });
  (system.fiscal.context.authorities.live as Map<string, Authority>).clear();
  await ask({ ...requested(), env: 'live' });
  expect(await outcome(2)).toMatchObject({ env: 'live', data: { error: { code: 'authority_not_served' } } });
  expect(sent).toEqual([]);
});

test('tills wait while the authority does not answer documents: one call every 30 s, which does not count as theirs', async () => {
  open();
  system.fiscal.worker.breakers.test.get('al-cis')?.open(systemClock.now());
  answers.push(registered());
  await ask(requested());
  await systemClock.sleep(150);
  expect(sent).toEqual([]);
  expect(await outcome()).toMatchObject({ type: 'fiscal.device-registered.v1' });
  expect(system.fiscal.worker.breakers.test.get('al-cis')?.isOpen()).toBe(false);
});
