/** Names of this machine, which are of no other: an answer there is where it was asked for. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/** True if a request names the host of `publicUrl`, whatever the case and with or without the default port. */
export function isOfHost(publicUrl: string, host: string): boolean {
  const { protocol, host: own } = new URL(publicUrl);
  return URL.parse(`${protocol}//${host}`)?.host === own;
}
