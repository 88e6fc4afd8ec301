import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storedTypes } from '@svc/fiscal-submission/submission/stored-types';
import { descriptionOf } from './description.ts';

const program = join(import.meta.dirname, '../describe.mjs');
const describeTo = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'svc-description-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('writes what a service publishes and stores, the same bytes each time, and not over a description', async () => {
  expect(describeTo('fiscal-submission', folder).status).toBe(0);
  const files = globSync('**/*.json', { cwd: folder }).toSorted();
  const outcomes = ['amended', 'cancelled', 'deadline-near', 'delayed', 'prepared', 'registered', 'rejected'];
  const setup = ['cancellation-refused', 'certificate-expiring', 'device-refused', 'device-registered'];
  const events = [...setup, ...outcomes.map((name) => `document-${name}`)];
  expect(files).toEqual([
    ...events.map((name) => `golden/public/fiscal.${name}.v1.json`),
    ...Object.keys(storedTypes)
      .toSorted()
      .map((category) => `golden/stored/${category}.json`),
    ...events.map((name) => `public-events/fiscal.${name}.v1.schema.json`),
    ...Object.entries(storedTypes)
      .flatMap(([category, types]) => Object.keys(types).map((name) => `stored-events/${category}.${name}.schema.json`))
      .toSorted(),
  ]);
  const texts = await descriptionOf('fiscal-submission');
  expect(new Map(files.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))).toEqual(texts);
  const again = describeTo('fiscal-submission', folder);
  expect([again.status, again.stderr]).toEqual([2, expect.stringContaining('name an empty folder')]);
});

test('the gateway publishes the API, and services that promise nothing write nothing', async () => {
  expect([...(await descriptionOf('gateway')).keys()]).toEqual(['openapi.json']);
  for (const service of ['webhooks-dispatcher', 'reporting', 'authority-simulator']) expect((await descriptionOf(service)).size).toBe(0);
});

test('says which services there are', () => {
  const { status, stderr } = describeTo('nosuch', folder);
  expect([status, stderr]).toEqual([2, expect.stringContaining('services: authority-simulator, fiscal-submission, gateway')]);
});
