import { loadConfig } from '@svc/service-kit';
import { EdgeConfig } from './config.ts';
import { trustedProxies } from './edge/proxies.ts';

test('nothing has to be said: all hosts take both keys, http is not refused, loopback is trusted', () => {
  const { HOSTS, REQUIRE_HTTPS, TRUSTED_PROXIES } = loadConfig(EdgeConfig, {});
  expect([HOSTS.size, REQUIRE_HTTPS, TRUSTED_PROXIES]).toEqual([0, false, ['loopback']]);
});

test('hosts, https and proxies are read as they are written', () => {
  const env = { HOSTS: 'API.x=live,sandbox.x=sandbox', REQUIRE_HTTPS: 'true', TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8, 192.0.2.1' };
  const { HOSTS, REQUIRE_HTTPS, TRUSTED_PROXIES } = loadConfig(EdgeConfig, env);
  expect([...HOSTS, REQUIRE_HTTPS]).toEqual([['api.x', 'live'], ['sandbox.x', 'sandbox'], true]);
  const { trusts } = trustedProxies(TRUSTED_PROXIES);
  expect(['10.1.2.3', 'fd00::1', '192.0.2.1'].map(trusts)).toEqual([true, true, true]);
  expect(['11.0.0.1', '192.0.2.2', 'fe80::1', '127.0.0.1', '', 'nonsense'].map(trusts)).toEqual(Array(6).fill(false));
});

test.each(['10.0.0.0/33', 'proxy.local', '10.0.0.0/', '10.0.0.0/8/8', '::1/129'])(
  'a proxy %s stops the start, by its name',
  (TRUSTED_PROXIES) => {
    expect(() => loadConfig(EdgeConfig, { TRUSTED_PROXIES })).toThrow('TRUSTED_PROXIES');
  },
);
