import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { documentSubjectKeys, embeddedEventStore, encryptedEventStore, type EventStore, type SubjectKey } from '@svc/event-store';
import type { GoldenStream } from '@svc/contracts/testing/golden';
import { storedTypes as ofSubmission } from '@svc/fiscal-submission/submission/stored-types';
import { storedTypes as ofInvoicing } from '@svc/invoicing/registrations';
import { iso, systemClock, type Recorded } from '@svc/kernel';
import { parseKeyRing } from '@svc/service';
import { rewriteDataFolder } from '@svc/standalone/first-format';
import { loadSecrets } from '@svc/standalone/secrets';
import { serviceSecrets } from '@svc/standalone/service-secrets';

const fixtures = join(import.meta.dirname, '../../../services/standalone/fixtures');
const categories = { invoicing: Object.keys(ofInvoicing), 'fiscal-submission': Object.keys(ofSubmission) };

/**
 * Streams of the frozen data folders by category, so few that each type in each of its versions and forms is in one of them. What
 * services of earlier releases stored: no code of this commit has written it.
 */
export async function goldenStored(service: keyof typeof categories): Promise<[string, GoldenStream[]][]> {
  const folders = readdirSync(fixtures).filter((name) => name.startsWith('data-folder-v'));
  const all: GoldenStream[] = [];
  for (const folder of folders.toSorted(newestFirst)) all.push(...(await streamsOf(folder)));
  return categories[service].map((category) => [
    `golden/stored/${category}.json`,
    fewest(all.filter(({ stream }) => stream.startsWith(`${category}-`))),
  ]);
}

const newestFirst = (a: string, b: string): number => b.localeCompare(a, 'en', { numeric: true });

/** Type, version, and which fields are set: an event whose fields are another set is another form. */
const formsOf = ({ events }: GoldenStream): string[] =>
  events.map(({ type, metadata, data }) => {
    const set = Object.entries(data).map(([name, value]) => `${name}${value === null ? ':null' : ''}`);
    return [type, metadata.v, ...set.sort()].join(' ');
  });

/** Takes the streams with the most forms first. */
function fewest(streams: GoldenStream[]): GoldenStream[] {
  const seen = new Set<string>();
  const byForms = streams.map((stream) => ({ stream, forms: new Set(formsOf(stream)) })).toSorted((a, b) => b.forms.size - a.forms.size);
  return byForms.flatMap(({ stream, forms }) => {
    if ([...forms].every((form) => seen.has(form))) return [];
    for (const form of forms) seen.add(form);
    return [stream];
  });
}

async function streamsOf(folder: string): Promise<GoldenStream[]> {
  const work = mkdtempSync(join(tmpdir(), 'svc-golden-'));
  try {
    cpSync(join(fixtures, folder), work, { recursive: true });
    const data = join(work, 'data');
    writeFileSync(join(data, 'data.sqlite'), gunzipSync(readFileSync(join(data, 'data.sqlite.gz'))));
    const shown = resourcesIn(join(work, 'expected.json'));
    await rewriteDataFolder(data, { info: () => undefined });
    return (await eventsIn(data)).map(([stream, events]) => {
      const resource = shown.get(stream.slice(stream.lastIndexOf('.') + 1));
      return { stream, events, ...(resource && { shown: resource }) };
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Resources by id. One whose registration was under way changed after it was shown. */
function resourcesIn(path: string): Map<string, NonNullable<GoldenStream['shown']>> {
  const kinds = JSON.parse(readFileSync(path, 'utf8')) as Record<string, NonNullable<GoldenStream['shown']>[] | number>;
  const all = Object.values(kinds).flatMap((list) => (Array.isArray(list) ? list : []));
  const atRest = all.filter(({ status }) => status !== 'submitting' && status !== 'voiding');
  return new Map(atRest.map((resource) => [resource.id, resource]));
}

async function eventsIn(data: string): Promise<[string, GoldenStream['events']][]> {
  const engine = Engine.open(data);
  try {
    const secrets = parseKeyRing(serviceSecrets(loadSecrets(data, {})).secretsKeys['invoicing'] ?? '');
    const collection = embeddedDocumentStore(engine, 'svc_invoicing').collection<SubjectKey>('subject_keys');
    const store = encryptedEventStore(embeddedEventStore(engine, systemClock), documentSubjectKeys({ collection, secrets }));
    const byStream = Map.groupBy(await allEvents(store), ({ stream }) => stream);
    return Array.from(byStream, ([stream, recorded]) => [
      stream,
      recorded.map(({ id, type, metadata, data, recordedAt }) => ({ id, type, recorded_at: iso(recordedAt), metadata, data })),
    ]);
  } finally {
    engine.close();
  }
}

async function allEvents(store: EventStore): Promise<Recorded[]> {
  const events: Recorded[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = store.subscribe('start', async (batch) => {
    events.push(...batch.events);
    if (batch.caughtUp) resolve();
  });
  await promise;
  await stop();
  return events;
}
