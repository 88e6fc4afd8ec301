import { loadConfig } from '@svc/service';
import { EdgeConfig } from './config.ts';
import { trustedProxies } from './edge/addresses.ts';
import { GatewayConfig } from './gateway-config.ts';

test('by default all hosts accept both kinds of key, http is allowed, and loopback is trusted', () => {
  const { HOSTS, REQUIRE_HTTPS, TRUSTED_PROXIES } = loadConfig(EdgeConfig, {});
  expect([HOSTS.size, REQUIRE_HTTPS, TRUSTED_PROXIES]).toEqual([0, false, ['loopback']]);
});

test('hosts, https and proxies are parsed', () => {
  const env = { HOSTS: 'API.x=live,sandbox.x=sandbox', REQUIRE_HTTPS: 'true', TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8, 192.0.2.1' };
  const { HOSTS, REQUIRE_HTTPS, TRUSTED_PROXIES } = loadConfig(EdgeConfig, env);
  expect([...HOSTS, REQUIRE_HTTPS]).toEqual([['api.x', 'live'], ['sandbox.x', 'sandbox'], true]);
  const { trusts } = trustedProxies(TRUSTED_PROXIES);
  expect(['10.1.2.3', 'fd00::1', '192.0.2.1'].map(trusts)).toEqual([true, true, true]);
  expect(['11.0.0.1', '192.0.2.2', 'fe80::1', '127.0.0.1', '', 'nonsense'].map(trusts)).toEqual(Array(6).fill(false));
});

test('an empty list of proxies trusts none', () => {
  const { TRUSTED_PROXIES } = loadConfig(EdgeConfig, { TRUSTED_PROXIES: '' });
  expect([TRUSTED_PROXIES, trustedProxies(TRUSTED_PROXIES).trusts('127.0.0.1')]).toEqual([[], false]);
});

test.each(['10.0.0.0/33', 'proxy.local', '10.0.0.0/', '10.0.0.0/8/8', '::1/129'])(
  'a proxy %s stops the start, by its name',
  (TRUSTED_PROXIES) => {
    expect(() => loadConfig(EdgeConfig, { TRUSTED_PROXIES })).toThrow('TRUSTED_PROXIES');
  },
);

describe('the gateway as a process', () => {
  const key = Buffer.alloc(32).toString('base64');
  const good = {
    ...{ PUBLIC_URL: 'https://api.example', MONGODB_URL: 'mongodb://x/', KAFKA_BROKERS: 'x:9092', HOSTS: 'api.x=live' },
    ...{ INTERNAL_KEYS: `k1:${key}`, SECRETS_KEY: `v1:${key}`, ADMIN_TOKEN: `adm_${'x'.repeat(28)}` },
    ...{
      INVOICING_URL: 'http://a:3000,http://b:3000',
      FISCAL_SUBMISSION_URL: 'http://f',
      WEBHOOKS_URL: 'http://w',
      REPORTING_URL: 'http://r',
    },
  };

  test('reads the origins of the replicas of every service', () => {
    const config = loadConfig(GatewayConfig, good);
    expect([config.INVOICING_URL, config.REPORTING_URL]).toEqual([['http://a:3000', 'http://b:3000'], ['http://r']]);
    expect([config.HOSTS.get('api.x'), config.TRUSTED_PROXIES, config.DEMO_PLAN, config.SETUP_FILE]).toEqual([
      'live',
      ['loopback'],
      'professional',
      undefined,
    ]);
  });

  test.each(['adm', 'x'.repeat(31), `${'x'.repeat(40)} y`])(
    'does not start with an ADMIN_TOKEN that is short, and does not show it',
    (ADMIN_TOKEN) => {
      expect(() => loadConfig(GatewayConfig, { ...good, ADMIN_TOKEN })).toThrow(
        /ADMIN_TOKEN is \(hidden\); it must be 32 characters or more/,
      );
    },
  );

  test('reads the tokens of single operators', () => {
    const token = 'x'.repeat(32);
    expect(loadConfig(GatewayConfig, good).ADMIN_TOKENS).toEqual([]);
    const named = `ana:${token}, b.en:${token}+/=:2027-01-31,ana:${token}y`;
    expect(loadConfig(GatewayConfig, { ...good, ADMIN_TOKENS: named }).ADMIN_TOKENS).toEqual([
      { name: 'ana', token, until: undefined },
      { name: 'b.en', token: `${token}+/=`, until: '2027-01-31' },
      { name: 'ana', token: `${token}y`, until: undefined },
    ]);
  });

  const long = 'hunter2'.repeat(5);
  test.each([
    ...['ana', `ana:hunter2`, `:${long}`, `a na:${long}`, `ana:${long}:soon`, `ana:${long}:2027-02-30`, `ana:${long}:2027-01-31:x`],
    ...[`ana:${long},`, `ana:${long},ben:${long}`, Array.from({ length: 101 }, (_, n) => `n${n}:${long}${n}`).join()],
  ])('does not start with ADMIN_TOKENS of another form, and does not show them', (ADMIN_TOKENS) => {
    const start = (): unknown => loadConfig(GatewayConfig, { ...good, ADMIN_TOKENS });
    expect(start).toThrow(/^ADMIN_TOKENS is \(hidden\); it must be name:token/);
    expect(start).toThrow(expect.objectContaining({ message: expect.not.stringContaining('hunter2') }));
  });

  test.each([...Object.keys(good).filter((name) => name !== 'HOSTS')])('does not start without %s, which the error names', (name) => {
    expect(() => loadConfig(GatewayConfig, { ...good, [name]: undefined })).toThrow(new RegExp(`^${name} is not set`));
  });

  test.each(['pods', '-', '-Pods', `-${'x'.repeat(32)}`])('rejects %s as the end of the name of pods', (PODS_SUFFIX) => {
    expect(() => loadConfig(GatewayConfig, { ...good, PODS_SUFFIX })).toThrow('PODS_SUFFIX');
  });

  test.each(['a:3000', 'http://a/v1', 'http://a,', 'ftp://a'])('rejects %s as an origin of replicas', (INVOICING_URL) => {
    expect(() => loadConfig(GatewayConfig, { ...good, INVOICING_URL })).toThrow('INVOICING_URL');
  });
});
