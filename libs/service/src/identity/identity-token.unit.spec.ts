import { FakeClock } from '@svc/kernel';
import { jwtVerify, SignJWT, UnsecuredJWT } from 'jose';
import type { Identity } from './identity.ts';
import { createIdentityReader, createIdentitySigner, type TokenRead } from './identity-token.ts';
import { internalKeys, type InternalKeys } from './internal-keys.ts';
import { serviceKeys } from './service-keys.ts';

const secret = (fill: number): string => Buffer.alloc(32, fill).toString('base64');
const bytes = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const [k1, k2] = [`k1:${secret(1)}`, `k2:${secret(2)}`];

const identity: Identity = {
  account: 'acct_01',
  env: 'test',
  livemode: false,
  permissions: ['invoices:read', 'invoices:write'],
  actor: { type: 'api_key', id: 'key_01' },
  requestId: 'req_01',
  commandId: '01kvc3v1m7e0v8k3v1m7e0v8k3',
};
const claims = {
  iss: 'gateway',
  aud: 'invoicing',
  acct: 'acct_01',
  env: 'test',
  perms: ['*'],
  actor: identity.actor,
  rid: 'req_01',
  cmd: '01',
};

const clock = new FakeClock();
const seconds = (): number => Math.floor(clock.now() / 1000);
const sign = (keys: InternalKeys, to = 'invoicing'): string => createIdentitySigner(keys, clock)(identity, to);
const verdict = (token: string, keys: InternalKeys = internalKeys(k1)): TokenRead => createIdentityReader(keys, 'invoicing', clock)(token);
/** undefined: it is not the gateway's, or not in time. */
const read = (token: string, keys?: InternalKeys): Identity | undefined => {
  const given = verdict(token, keys);
  return given.kind === 'valid' ? given.identity : undefined;
};
/** A token that is signed with the key, with any header and claims. */
const signed = (over: object, head: object = { alg: 'HS256', kid: 'k1' }, key = bytes(1)): Promise<string> =>
  new SignJWT({ ...claims, exp: seconds() + 30, ...over }).setProtectedHeader(head as { alg: string }).sign(key);

test("a service reads the gateway's token", () => {
  expect(read(sign(internalKeys(k1)))).toEqual(identity);
  const live = { ...identity, env: 'live', livemode: true } as const;
  expect(read(createIdentitySigner(internalKeys(k1), clock)(live, 'invoicing'))).toEqual(live);
});

test('the token is a valid JWT for other libraries', async () => {
  const { payload, protectedHeader } = await jwtVerify(sign(internalKeys(k1)), bytes(1), {
    issuer: 'gateway',
    audience: 'invoicing',
    algorithms: ['HS256'],
    currentDate: new Date(clock.now()),
  });
  expect(protectedHeader).toEqual({ alg: 'HS256', kid: 'k1' });
  expect(payload).toMatchObject({ acct: 'acct_01', env: 'test', perms: identity.permissions, rid: 'req_01', exp: seconds() + 45 });
  expect(read(await signed({}))).toMatchObject({ account: 'acct_01', permissions: ['*'] });
});

test('a key is rotated without a rejected token', () => {
  const [old, both, swapped, fresh] = [k1, `${k1},${k2}`, `${k2},${k1}`, k2].map(internalKeys) as [
    InternalKeys,
    InternalKeys,
    InternalKeys,
    InternalKeys,
  ];
  for (const [signs, reads] of [
    [old, both],
    [both, old],
    [both, swapped],
    [swapped, both],
    [swapped, fresh],
    [fresh, swapped],
  ] as const)
    expect(read(sign(signs), reads)).toEqual(identity);
  expect(read(sign(old), fresh)).toBeUndefined();
  expect(read(sign(fresh), old)).toBeUndefined();
});

test('a key for one service replaces one for all services without a rejected token, also under the same name', () => {
  const [old, own] = [`k1:${secret(1)}`, `k1:${secret(2)}`];
  const gateway = [old, `${old},invoicing.${own}`, `invoicing.${own},${old}`, `invoicing.${own}`].map(internalKeys);
  const both = [`${old},${own}`, `${own},${old}`, `${old},invoicing.${own}`].map(internalKeys);
  for (const reads of both) for (const signs of gateway) expect(read(sign(signs), reads)).toEqual(identity);
  const verdicts = (reads: string): boolean[] => gateway.map((signs) => read(sign(signs), internalKeys(reads)) !== undefined);
  expect(verdicts(old)).toEqual([true, true, false, false]);
  expect(verdicts(own)).toEqual([false, false, true, true]);
});

test('a token is valid for 45 s, plus the allowed difference of clocks; then it is still the gateway’s', async () => {
  const token = sign(internalKeys(k1));
  await clock.advance(49_000);
  expect(read(token)).toEqual(identity);
  await clock.advance(2_000);
  expect(verdict(token)).toEqual({ kind: 'untimely', identity, lateS: 6 });
  expect(verdict(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toEqual({ kind: 'invalid' });
});

test('a service’s own key is valid for that service only; the gateway has those of all services, and also uses a common one', () => {
  const gateway = internalKeys(`invoicing.k2:${secret(3)},reporting.k2:${secret(4)},${k1}`);
  const [invoicing, reporting] = [internalKeys(`k2:${secret(3)}`), internalKeys(`k2:${secret(4)}`)];
  expect(read(sign(gateway), invoicing)).toEqual(identity);
  expect(read(sign(reporting), invoicing)).toBeUndefined();
  expect(read(sign(gateway, 'reporting'), reporting)).toBeUndefined(); // a token for invoicing
  expect(read(sign(gateway, 'webhooks-dispatcher'))).toBeUndefined();
  expect(read(sign(internalKeys(k1)), internalKeys(`k2:${secret(3)},${k1}`))).toEqual(identity); // while some processes do not have their own keys yet
  expect(() => sign(internalKeys(`reporting.k2:${secret(4)}`))).toThrow('no key for invoicing');
});

test('keys generated for a system are one for each service, and can be replaced one by one', () => {
  const made = serviceKeys(`${k2},invoicing.k9:${secret(5)},${k1}`, ['invoicing', 'reporting']);
  const [gateway, own] = [internalKeys(made.gateway), internalKeys(made.of['invoicing'] ?? '')];
  expect(own.map(({ kid }) => kid)).toEqual(['k2', 'k9', 'k1']);
  expect(read(sign(gateway), own)).toEqual(identity);
  expect(read(sign(internalKeys(made.of['reporting'] ?? '')), own)).toBeUndefined();
  expect(read(sign(internalKeys(k2)), own)).toBeUndefined();
});

test('in a system whose keys have the same id, each service uses its own', () => {
  const made = serviceKeys(`k1:${secret(1)},invoicing.k1:${secret(5)}`, ['invoicing', 'reporting']);
  const own = internalKeys(made.of['invoicing'] ?? '');
  for (const signs of [made.gateway, `invoicing.k1:${secret(5)}`]) expect(read(sign(internalKeys(signs)), own)).toEqual(identity);
});

describe('rejects', () => {
  test('an expiry more than 75 s ahead, with any signature', async () => {
    expect(read(await signed({ exp: seconds() + 75 }))).toMatchObject({ account: 'acct_01' });
    for (const exp of [seconds() + 76, seconds() + 3_600, 1e15])
      expect(verdict(await signed({ exp }))).toMatchObject({ kind: 'untimely', lateS: expect.any(Number) });
  });

  test.each([
    ['another service', { aud: 'reporting' }],
    ['several services', { aud: ['invoicing', 'reporting'] }],
    ['another issuer', { iss: 'elsewhere' }],
    ['no account', { acct: undefined }],
    ['no command', { cmd: '' }],
    ['no permissions', { perms: '*' }],
    ['no environment', { env: 'prod' }],
    ['no actor', { actor: { type: 'api_key' } }],
    ['no expiry', { exp: undefined }],
  ])('%s, in time or not', async (_name, over) => {
    expect(verdict(await signed(over))).toEqual({ kind: 'invalid' });
    if (!('exp' in over)) expect(verdict(await signed({ exp: seconds() - 60, ...over }))).toEqual({ kind: 'invalid' });
  });

  test.each([
    ['another key', { alg: 'HS256', kid: 'k1' }, 2],
    ['an unknown key', { alg: 'HS256', kid: 'k3' }, 1],
    ['no key named', { alg: 'HS256' }, 1],
    ['a further field in the header', { alg: 'HS256', kid: 'k1', typ: 'JWT' }, 1],
  ])('%s', async (_name, head, key) => expect(read(await signed({}, head, bytes(key)))).toBeUndefined());

  test('another algorithm under the right key, and none at all', async () => {
    expect(read(await signed({}, { alg: 'HS512', kid: 'k1' }, new Uint8Array(64).fill(1)))).toBeUndefined();
    const unsecured = new UnsecuredJWT({ ...claims, exp: seconds() + 30 }).encode();
    expect(read(unsecured)).toBeUndefined();
    const [head = ''] = sign(internalKeys(k1)).split('.');
    expect(read(`${head}.${unsecured.split('.')[1]}.`)).toBeUndefined();
  });

  test('a token changed at any position', () => {
    const token = sign(internalKeys(k1));
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'A' ? 'B' : 'A';
      expect(read(token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined();
    }
    for (const none of [
      '',
      '.',
      '..',
      'x',
      token.slice(0, -1),
      `${token}x`,
      `${token}.`,
      token.split('.').slice(0, 2).join('.'),
      'x'.repeat(100_000),
    ])
      expect(read(none)).toBeUndefined();
  });
});

describe('internal keys', () => {
  test('the first one signs', () => expect(internalKeys(`${k2}, ${k1}`).map(({ kid }) => kid)).toEqual(['k2', 'k1']));

  test.each(['', 'k1', 'k1:', `k1:${secret(1).slice(4)}`, `${secret(1)}`, `K1:${secret(1)}`, `${k1},`, `${k1},${k1}`, `k1:${secret(1)}!`])(
    'reject %j with a message without keys',
    (text) => {
      expect(() => internalKeys(text)).toThrow(expect.objectContaining({ message: expect.not.stringContaining(secret(1).slice(0, 20)) }));
    },
  );

  test('at most 8 of one service, and 8 of all', () => {
    const named = (prefix: string, count: number): string => Array.from({ length: count }, (_, n) => `${prefix}k${n}:${secret(n)}`).join();
    expect(internalKeys(`${named('', 8)},${named('reporting.', 8)}`)).toHaveLength(16);
    for (const text of [named('', 9), named('reporting.', 9)]) expect(() => internalKeys(text)).toThrow('8 at most');
  });
});
