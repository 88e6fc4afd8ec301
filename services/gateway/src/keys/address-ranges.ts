import { BlockList, isIP, isIPv6 } from 'node:net';
import { invalid } from '@svc/kernel';

/** The addresses of a list of addresses and networks (`192.0.2.0/24`, `2001:db8::/32`); undefined: any. Ranges are valid: see `checkRanges`. */
export function addressesOf(ranges: readonly string[] | null | undefined): BlockList | undefined {
  if (!ranges) return undefined;
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

export const isAmong = (list: BlockList, address: string): boolean =>
  isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

/** Throws validation_error where one is neither an address nor a network. */
export function checkRanges(ranges: readonly string[] | null | undefined): void {
  const wrong = ranges?.find((range) => !isRange(range));
  if (wrong !== undefined) throw invalid({ allowed_ips: ['Send addresses or networks such as 192.0.2.7 or 192.0.2.0/24.'] });
}

function isRange(range: string): boolean {
  const [address = '', bits, ...more] = range.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32));
}
