import { trustedProxies } from './proxies.ts';

test('decides correctly for more addresses than its cache holds', () => {
  const proxies = trustedProxies(['10.0.0.0/16']);
  const addresses = Array.from({ length: 5_000 }, (_, n) => `10.${n % 2}.${n >> 8}.${n & 255}`);
  for (const round of [1, 2]) {
    expect([round, addresses.filter((address) => proxies.trusts(address)).length]).toEqual([round, 2_500]);
  }
});
