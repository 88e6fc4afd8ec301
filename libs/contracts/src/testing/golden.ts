import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseExact, type Recorded } from '@svc/kernel';
import type { PublicEvent, Topic } from '../events/envelope.ts';
import { publicEvents } from '../public-events.ts';

/** A whole stream, with the resource that the API showed of it where it has one. */
export interface GoldenStream {
  stream: string;
  /** `data.personal` is decrypted: what the codec of the service gets. */
  events: (Pick<Recorded, 'id' | 'type' | 'metadata' | 'data'> & { recorded_at: string })[];
  shown?: { id: string; [field: string]: unknown };
}

const root = join(import.meta.dirname, '../../../..');

/** The golden events on these topics, each once: of all releases, and those of this commit, which the next release will have. */
export function goldenEvents(...topics: Topic[]): PublicEvent[] {
  const texts = ['releases/*/*/golden/public/*.json', 'libs/contracts/src/*/fixtures/*.json']
    .flatMap((pattern) => globSync(pattern, { cwd: root }).toSorted())
    .map((path) => JSON.stringify(parseExact(readFileSync(join(root, path), 'utf8'))));
  const events = [...new Set(texts)].map((text) => parseExact(text) as PublicEvent);
  return events.filter(({ type }) => topics.some((topic) => publicEvents.get(type)?.topic === topic));
}

/** Accounts whose golden streams 0.1.0 has copied from folders of builds before it. Nothing reads what these stored. */
const BEFORE_RELEASES = ['acct_01m7zp9j24e2mrw9xevsnfzj6g', 'acct_01m81w21v9e0ja7r43cv1x5kfh'];

/** Whether a release has stored the stream. */
export const isOfRelease = ({ stream }: Pick<GoldenStream, 'stream'>): boolean =>
  !BEFORE_RELEASES.some((account) => stream.includes(`.${account}.`));

/** The golden streams of a category of a service's store, each once, however a rewritten folder orders its fields: of all its releases; of this commit while there is no release. */
export function goldenStreams(service: string, category: string): GoldenStream[] {
  const files = goldenFiles(service).filter(({ path }) => path === `golden/stored/${category}.json`);
  const all = files.flatMap(({ text }) => (JSON.parse(text) as GoldenStream[]).filter(isOfRelease));
  return [...new Map(all.map((stream) => [stream.events.map(({ id }) => id).join(), stream])).values()];
}

interface File {
  /** In its description: `golden/stored/invoice.json`. */
  path: string;
  text: string;
}

const known = new Map<string, File[]>();

function goldenFiles(service: string): File[] {
  const files = known.get(service) ?? readFiles(service);
  known.set(service, files);
  return files;
}

function readFiles(service: string): File[] {
  const released = filesIn(join(root, 'releases', service), '*/');
  if (released.length > 0) return released;
  const made = mkdtempSync(join(tmpdir(), 'svc-golden-'));
  try {
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'tools/contracts/describe.mjs'), service, made], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`tools/contracts/describe.mjs ${service} failed: ${stderr}`);
    return filesIn(made, '');
  } finally {
    rmSync(made, { recursive: true });
  }
}

const filesIn = (folder: string, versions: string): File[] =>
  globSync(`${versions}golden/stored/*.json`, { cwd: folder })
    .toSorted()
    .map((path) => ({ path: path.slice(path.indexOf('golden/')), text: readFileSync(join(folder, path), 'utf8') }));
