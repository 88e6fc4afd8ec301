import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { parseEvent } from '@svc/contracts/testing/parse';
import { DeviceRegistrationRequestedV1 } from '@svc/contracts/registration/requested';
import { publicationsFrom } from '@svc/event-bus/publishing/publication';
import { FiscalRegistrationConsumer } from '../consuming/fiscal-registration.ts';
import { publishers } from '../registrations.ts';
import { callerOf, dataFolder, openSystem } from '../testing/open-system.ts';
import { issuerStream } from './issuers.ts';
import { registerDevice } from './register-device.ts';
import { issuerResource } from './resource.ts';
import { updateIssuer } from './update.ts';

const folder = dataFolder();
const system = openSystem(folder.path);
afterAll(() => {
  system.engine.close();
  folder.remove();
});

async function albanian(): Promise<string> {
  const account = `acct_${system.ids.next()}`;
  const { context, issuers } = system;
  const patch = (body: object) =>
    updateIssuer({ context, issuers, identity: callerOf(system, account) }, { ifMatch: undefined, patch: body });
  const { units } = await patch({ authority: 'al-cis', country: 'AL' });
  const more = units.map(({ code }) => ({ code, devices: ['TILL1', 'TILL2'] }));
  await patch({ units: more, devices: [{ code: 'TILL2', maintainer_code: 'mm123mm123' }] });
  return account;
}
const register = (account: string) =>
  registerDevice({ issuers: system.issuers, clock: system.clock }, callerOf(system, account), { code: 'TILL2' });
async function requestsOf(account: string): Promise<PublicEvent[]> {
  const stored = await system.store.read(issuerStream(account, 'test'));
  const all = await Promise.all(stored.map((one) => publicationsFrom({ source: 'invoicing', store: system.store, publishers }).of(one)));
  return all.flatMap(({ events }) => events.filter(({ topic }) => topic === topics.registration).map(({ event }) => event));
}
const devices = async (account: string) => {
  const { state, version } = await system.issuers.current(account, 'test');
  return issuerResource(state, version, { closed: [], lacking: { live: {}, test: {} } }).devices.map(({ code, state, authority_code }) => [
    code,
    state,
    authority_code,
  ]);
};
const answer = (account: string, request: PublicEvent, data: object): PublicEvent => {
  const {
    issuer_id,
    authority,
    request: n,
    device,
  } = request.data as { issuer_id: string; authority: string; request: number; device: { unit: string; code: string } };
  const of = { issuer_id, unit: device.unit, device_code: device.code, authority, request: n };
  return { ...request, source: 'fiscal-submission', type: 'fiscal.device-registered.v1', data: { ...of, ...data }, account } as PublicEvent;
};

test('a till is asked for once, published with its issuer, and gets the code that the authority gives it', async () => {
  const account = await albanian();
  expect(await register(account)).toMatchObject({ object: 'device', code: 'TILL2', state: 'registering' });
  await register(account);
  const [request, ...more] = await requestsOf(account);
  expect(more).toEqual([]);
  expect(parseEvent(JSON.stringify(request))).toMatchObject({
    type: DeviceRegistrationRequestedV1.type,
    subject: (await system.issuers.of(account, 'test')).id,
    data: { authority: 'al-cis', request: 1, device: { code: 'TILL2', internal_id: 'TILL2' }, issuer: { units: [{ devices: ['TILL2'] }] } },
  });
  const consumer = new FiscalRegistrationConsumer(system.context, system.issuers);
  const registered = answer(account, request as PublicEvent, { authority_code: 'cc123cc124', registered_at: '2026-03-01T10:00:00.000Z' });
  await consumer.on([registered as never]);
  await consumer.on([registered as never]);
  expect((await devices(account))[1]).toEqual(['TILL2', 'registered', 'cc123cc124']);
  expect(await register(account)).toMatchObject({ state: 'registered', authority_code: 'cc123cc124' });
  expect(await requestsOf(account)).toHaveLength(1);
});

test('an unknown till is not found, and stores nothing', async () => {
  const account = `acct_${system.ids.next()}`;
  await expect(register(account)).rejects.toMatchObject({ code: 'not_found' });
  expect(await system.store.read(issuerStream(account, 'test'))).toEqual([]);
});
