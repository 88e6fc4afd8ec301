import { createServer } from 'node:net';
import { StartError } from './start-error.ts';

export interface PortSetting {
  /** Name of the setting. */
  name: string;
  /** 0: any free port. */
  port: number;
  host: string;
}

const LAST_PORT = 65_535;
/** Maximum number of ports that are tried to suggest a free one. */
const MOST_LOOKS = 50;

/**
 * Checks the ports before anything is opened. Throws a `StartError` that names each port that cannot be used, and free ones.
 * @param command that starts the process, such as `npm start`; undefined if there is none
 */
export async function checkPorts(wanted: readonly PortSetting[], command?: string): Promise<void> {
  for (const [n, one] of wanted.entries()) {
    const first = wanted.slice(0, n).find(({ port, host }) => port !== 0 && port === one.port && host === one.host);
    if (first) throw new StartError(`${first.name} and ${one.name} are both ${one.port}: ${await instead([one], wanted, command)}`);
  }
  const codes = await Promise.all(wanted.map(({ port, host }) => (port === 0 ? undefined : whyNot(port, host))));
  const taken = wanted.filter((_one, n) => codes[n] === 'EADDRINUSE');
  for (const [n, code] of codes.entries())
    if (code !== undefined && code !== 'EADDRINUSE') throw new StartError(inWords(wanted[n] as PortSetting, code));
  if (taken.length === 0) return;
  const which = listed(taken.map(({ name, port }) => `${name} ${port}`));
  throw new StartError(`${which} ${taken.length === 1 ? 'is' : 'are'} taken: ${await instead(taken, wanted, command)}`);
}

/** A suggestion of other settings. */
async function instead(refused: readonly PortSetting[], wanted: readonly PortSetting[], command = ''): Promise<string> {
  const used = new Set(wanted.map(({ port }) => port));
  const settings: string[] = [];
  for (const { name, port, host } of refused) {
    const free = await freeAfter(port, host, used);
    used.add(free);
    settings.push(`${name}=${free}`);
  }
  return `${settings.join(' ')} ${command}`.trim();
}

async function freeAfter(port: number, host: string, used: ReadonlySet<number>): Promise<number> {
  for (let next = port + 1; next <= Math.min(port + MOST_LOOKS, LAST_PORT); next += 1)
    if (!used.has(next) && (await whyNot(next, host)) === undefined) return next;
  return 0;
}

/** The error code of listening on the port; undefined if it is free. */
const whyNot = (port: number, host: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer().once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });

function inWords({ name, port, host }: PortSetting, code: string): string {
  if (code === 'EACCES') return `${name} ${port} may not be listened on by this user: choose one above 1023`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST ${host} is no address of this machine`;
  return `${name} ${port} of ${host} cannot be listened on (${code})`;
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
