import { BlockList, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

// Source of both lists: IANA special-purpose registries (RFC 6890 and its updates), and the metadata addresses of clouds.
const V4_REFUSED = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32`;
const V6_REFUSED = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';

const listOf = (text: string, family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const entry of text.split(/\s+/)) {
    const [net = '', bits = ''] = entry.split('/');
    list.addSubnet(net, Number(bits), family);
  }
  return list;
};
const v4Refused = listOf(V4_REFUSED, 'ipv4');
const v6Refused = listOf(V6_REFUSED, 'ipv6');
const v6Global = listOf('2000::/3', 'ipv6');

/**
 * Whether an IP address (text, no brackets) belongs to the public internet. IPv6 forms that embed an IPv4 address count as that address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !v4Refused.check(address, 'ipv4');
  const bare = address.split('%')[0] ?? '';
  if (!isIPv6(bare)) return false;
  const embedded = embeddedV4(ipaddr.IPv6.parse(bare).parts);
  if (embedded) return isPublicAddress(embedded);
  return v6Global.check(bare, 'ipv6') && !v6Refused.check(bare, 'ipv6');
}

/** ::ffff:a.b.c.d (mapped), ::ffff:0:a.b.c.d (translated), ::a.b.c.d (compatible), 64:ff9b::a.b.c.d (NAT64). */
function embeddedV4(words: number[]): string | undefined {
  const head = words
    .slice(0, 6)
    .map((word) => word.toString(16))
    .join(':');
  if (!['0:0:0:0:0:ffff', '0:0:0:0:ffff:0', '0:0:0:0:0:0', '64:ff9b:0:0:0:0'].includes(head)) return undefined;
  const [high = 0, low = 0] = words.slice(6);
  return [high >>> 8, high & 255, low >>> 8, low & 255].join('.');
}
