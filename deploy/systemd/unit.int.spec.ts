import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadConfig } from '@svc/service/config/load-config';
import { StandaloneConfig } from '@svc/standalone/config';
import { root } from '@svc/testkit';

const unit = readFileSync(join(import.meta.dirname, 'invoicing-platform.service'), 'utf8');
const valueOf = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

test('starts the program of npm start with its options', async () => {
  const { nodeOptions } = (await import(pathToFileURL(join(root, 'tools/node-options.mjs')).href)) as { nodeOptions: string[] };
  const folder = valueOf('WorkingDirectory');
  expect(valueOf('ExecStart')).toBe([`${folder}/node_modules/.bin/node`, ...nodeOptions, 'services/standalone/dist/start.mjs'].join(' '));
  expect(readFileSync(join(root, 'services/standalone/package.json'), 'utf8')).toContain('"name": "@svc/standalone"');
});

test('its settings are ones of the program, and what it writes to is its own folder', () => {
  const settings = Object.fromEntries(
    valueOf('Environment')
      .split(' ')
      .map((text) => text.split('=') as [string, string]),
  );
  const { DATA_DIR, BACKUP_FOLDER, BACKUP_EVERY, BACKUP_CONTINUOUS } = loadConfig(StandaloneConfig, settings);
  const state = `/var/lib/${valueOf('StateDirectory')}/`;
  expect([DATA_DIR.startsWith(state), BACKUP_FOLDER?.startsWith(state), BACKUP_EVERY]).toEqual([true, true, 86_400_000]);
  expect(BACKUP_CONTINUOUS).toBe(true);
  expect(valueOf('ProtectSystem')).toBe('strict');
});

test('leaves the process longer to stop than it takes', () => {
  expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThan(30);
});
