// The servers that tests too long for every change start for themselves where the environment has no addresses.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './setup.mjs';

export const missing = ['KAFKA_BROKERS', 'MONGODB_URL', 'EVENT_STORE_URL'].filter((name) => !process.env[name]);

const servers = (...args) =>
  spawnSync(process.execPath, [join(root, 'rig/servers/servers.mjs'), ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { SERVERS_PORTS: 'kafka=0,mongo=0,event-store=0', ...process.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/**
 * Starts those of this folder, as a step of the tally.
 * @param {ReturnType<typeof import('./tally.mjs').openTally>} tally
 * @returns {Promise<{ isReady: boolean, addresses: Record<string, string>, stop: () => void }>} `addresses`: for the environment of tests; `stop`: leaves those that ran before
 */
export async function startServers(tally) {
  if (missing.length === 0) return { isReady: true, addresses: {}, stop: () => {} };
  const ran = servers('status').status === 0;
  let addresses = {};
  const isReady = await tally.step('servers', () => {
    const { status, stdout } = servers('start');
    const lines = stdout.trim().split('\n');
    addresses = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
    return status ?? 1;
  });
  return { isReady, addresses, stop: () => void (ran || servers('stop')) };
}
