import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { settingsOfChart } from '../tools/values/settings.ts';
import { allCharts } from '../testing/services.ts';

const text = readFileSync(join(import.meta.dirname, '..', '..', 'docker-compose.yml'), 'utf8');
const compose = parse(text, { merge: true }) as { services: Record<string, { environment: Record<string, unknown> }> };

/** Settings that an image fixes, so that all its containers are alike. */
const fixed = ['HOST', 'PORT', 'OPS_PORT', 'SIMULATOR_PORT'];
/** Secrets by their classes that are none in a system for development: its servers ask for no password. */
const open = ['MONGODB_URL', 'EVENT_STORE_URL'];
/** Where it is not set, the sandbox is served: fiscal-submission of the same file has its simulator. */
const absent = ['invoicing SIMULATOR_URL'];

test.each(allCharts)('docker compose has every setting of %s, and no other', (service) => {
  const settings = settingsOfChart(service).filter(
    ({ name, secret }) => !fixed.includes(name) && !absent.includes(`${service} ${name}`) && (!secret || open.includes(name)),
  );
  // HEALTH_URL is the image's own.
  const given = Object.keys(compose.services[service]?.environment ?? {}).filter((name) => name !== 'HEALTH_URL');
  expect(given.sort()).toEqual(settings.map(({ name }) => name).sort());
});
