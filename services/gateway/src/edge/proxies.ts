import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4 } from 'node:net';

/** Who may say how a request came and from where. */
export interface Proxies {
  trusts(address: string): boolean;
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const MOST_ADDRESSES = 1_000;

/** Of addresses and networks (`10.0.0.0/8`, `::1`); `loopback` is 127.0.0.0/8 and ::1. Throws with the entry that is wrong. */
export function trustedProxies(entries: readonly string[]): Proxies {
  const list = new BlockList();
  for (const entry of entries.flatMap((one) => (one === 'loopback' ? LOOPBACK : [one]))) add(list, entry);
  const known = new Map<string, boolean>();
  return {
    trusts(address) {
      let trusted = known.get(address);
      if (trusted === undefined) {
        trusted = isIP(address) !== 0 && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
        if (known.size >= MOST_ADDRESSES) known.clear();
        known.set(address, trusted);
      }
      return trusted;
    },
  };
}

/** True for an address, a network (`10.0.0.0/8`) and `loopback`. */
export function isProxyEntry(entry: string): boolean {
  if (entry === 'loopback') return true;
  const [address = '', bits, ...rest] = entry.split('/');
  const most = isIPv4(address) ? 32 : 128;
  return isIP(address) !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
}

function add(list: BlockList, entry: string): void {
  if (!isProxyEntry(entry)) throw new Error(`"${entry}" is no address, network or "loopback"`);
  const [address = '', bits] = entry.split('/');
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
}

/** IPv4 in its own form, also where the socket shows it mapped into IPv6. */
export const plainAddress = (address: string | undefined): string => (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '');

/** True when a trusted proxy says that the caller came by http. Who speaks to us directly, or through one that says nothing, counts as https. */
export function cameByHttp(proxies: Proxies, { socket, headers }: IncomingMessage): boolean {
  const said = headers['x-forwarded-proto'];
  if (said === undefined || !proxies.trusts(plainAddress(socket.remoteAddress))) return false;
  return last(said).toLowerCase() === 'http';
}

/** The caller's address: the socket's, or what the trusted proxies before it say, nearest first. */
export function callerAddress(proxies: Proxies, { socket, headers }: IncomingMessage): string {
  let address = plainAddress(socket.remoteAddress);
  const hops = String(headers['x-forwarded-for'] ?? '').split(',');
  while (hops.length > 0 && proxies.trusts(address)) {
    const hop = plainAddress(hops.pop()?.trim());
    if (isIP(hop) === 0) break;
    address = hop;
  }
  return address;
}

const last = (values: string | string[]): string => String(values).split(',').at(-1)?.trim() ?? '';
