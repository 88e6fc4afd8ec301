import { isIPv6 } from 'node:net';

/** Whom a limit by address counts: an IPv4 address, or the /64 of an IPv6 address, because one caller usually has a whole /64. */
export const callerNetwork = (address: string): string => (isIPv6(address) ? networkOf(address) : address);

function networkOf(address: string): string {
  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(6);
  const mapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  if (mapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight groups of an IPv6 address in any notation. */
function groupsOf(address: string): number[] {
  const [withoutZone = ''] = address.split('%');
  const plain = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1); // writes a trailing IPv4 part in hexadecimal
  const [head = [], tail = []] = plain.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}
