import { prefixed, type Env } from '@svc/kernel';
import type { Identity } from '@svc/service';
import { certified } from '../xml/testing/certificates.ts';
import { SimulatorProcess } from '../testing/simulator-process.ts';
import { FiscalSystem, ids, type SystemOptions } from '../testing/system.ts';
import { alCis } from '../authorities/al-cis/al-cis.ts';
import type { Authority } from '../submission/authority.ts';
import { checkCredentials } from './check.ts';
import { putCredentials } from '../credentials/put.ts';
import { newFile } from '../credentials/testing/files.ts';

const nais = certified({ name: 'Test NAIS', isAuthority: true });
const trust = { anchors: [nais.pem], signer: 'x' };
const albanian = alCis({ origin: 'http://127.0.0.1:1', page: 'https://page.test', trust }) as unknown as Authority;
const answering: SystemOptions['http'] = async () => ({ status: 404, headers: {}, body: Buffer.from('') });

let system: FiscalSystem;
afterEach(() => system.close());
const open = (over: Partial<SystemOptions> = {}): void => {
  system = new FiscalSystem({ simulatorUrl: 'http://127.0.0.1:1', authorities: new Map([['al-cis', albanian]]), ...over });
};
const caller = (account = system.account, env: Env = 'test'): Identity =>
  ({
    ...{ account, env, livemode: env === 'live', commandId: ids.next(), requestId: 'req_1' },
    actor: { type: 'api_key', id: 'key_1' },
  }) as unknown as Identity;
const check = (authority: string | null, env: Env = 'test') =>
  checkCredentials(system.fiscal.checking.context, caller(system.account, env), { authority, tax_id: 'L12345678A' });
const outcomes = ({ checks }: Awaited<ReturnType<typeof check>>) => Object.fromEntries(checks.map(({ id, outcome }) => [id, outcome]));

test('a certificate that signs and an authority that answers are ready, and nothing is registered', async () => {
  const asked: string[] = [];
  open({ http: async (request) => (asked.push(`${request.method} ${request.url}`), answering(request)) });
  await putCredentials(system.fiscal.credentials, caller(), newFile());
  const found = await check('al-cis');
  expect(outcomes(found)).toEqual({ authority: 'passed', certificate: 'passed', owner: 'passed', connection: 'passed' });
  expect([found.ready, found.authority, asked]).toEqual([true, 'al-cis', ['GET http://127.0.0.1:1/']]);
});

test('what is missing is named: authority, certificate, connection', async () => {
  open();
  expect(outcomes(await check(null))).toMatchObject({ authority: 'failed', connection: 'skipped' });
  expect(outcomes(await check('hu-nav'))).toMatchObject({ authority: 'failed' });
  const found = await check('al-cis', 'live');
  expect(found.ready).toBe(false);
  expect(outcomes(found)).toEqual({ authority: 'passed', certificate: 'failed', owner: 'skipped', connection: 'failed' });
  expect(found.checks.find(({ id }) => id === 'connection')?.message).toContain('cannot be reached');
});

test('a certificate of another taxpayer is found, and refused before, where this installation does not send to the authority', async () => {
  open({ authorities: new Map() });
  const another = newFile({ name: 'L87654321B' });
  await putCredentials(system.fiscal.credentials, caller(), another);
  const found = await check('al-cis');
  expect(outcomes(found)).toMatchObject({ authority: 'failed', owner: 'failed' });
  expect(found.checks[0]?.message).toContain('Ask the operator');
  const put = putCredentials(system.fiscal.credentials, caller(), another, { authority: 'al-cis', tax_id: 'L12345678A' });
  await expect(put).rejects.toMatchObject({ code: 'validation_error', details: { certificate: [expect.stringContaining('L87654321B')] } });
});

test('the sandbox asks for no certificate', async () => {
  const simulator = await SimulatorProcess.start();
  system = new FiscalSystem({ simulatorUrl: simulator.url });
  expect(outcomes(await check('sandbox'))).toEqual({ authority: 'passed', certificate: 'skipped', owner: 'skipped', connection: 'passed' });
  await simulator.stop();
});

test('eight checks of an account run at a time, and do not hold up another account', async () => {
  const answer = Promise.withResolvers<void>();
  open({ http: async (request) => (await answer.promise, answering(request)) });
  const first = Array.from({ length: 8 }, () => check('al-cis'));
  await expect(check('al-cis')).rejects.toMatchObject({ code: 'service_unavailable' });
  const other = checkCredentials(system.fiscal.checking.context, caller(prefixed('acct', ids.next())), {
    authority: 'al-cis',
    tax_id: null,
  });
  answer.resolve();
  await Promise.all([...first, other]);
  await check('al-cis');
});
