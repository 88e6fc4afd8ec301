import { trustedProxies, addressScope } from './addresses.ts';

test('decides correctly for more addresses than its cache holds', () => {
  const proxies = trustedProxies(['10.0.0.0/16']);
  const addresses = Array.from({ length: 5_000 }, (_, n) => `10.${n % 2}.${n >> 8}.${n & 255}`);
  for (const round of [1, 2]) {
    expect([round, addresses.filter((address) => proxies.trusts(address)).length]).toEqual([round, 2_500]);
  }
});

test.each([
  ['203.0.113.7', 'ip 203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', 'ip 2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', 'ip 2001:db8:1:2::/64'],
  ['2001:db8:1:3::9', 'ip 2001:db8:1:3::/64'],
  ['2001:db8::1', 'ip 2001:db8:0:0::/64'],
  ['::1', 'ip 0:0:0:0::/64'],
  ['fe80::1%eth0', 'ip fe80:0:0:0::/64'],
  ['::ffff:203.0.113.7', 'ip 203.0.113.7'],
  ['::ffff:cb00:7107', 'ip 203.0.113.7'],
  ['0:0:0:0:0:FFFF:203.0.113.8', 'ip 203.0.113.8'],
  ['', 'ip '],
])('%s is counted as %s', (address, scope) => expect(addressScope(address)).toBe(scope));
