import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseExact, type Recorded } from '@svc/kernel';
import type { PublicEvent } from '../events/envelope.ts';

/** A whole stream, with the resource that the API showed of it where it has one. */
export interface GoldenStream {
  stream: string;
  /** `data.personal` is decrypted: what the codec of the service gets. */
  events: (Pick<Recorded, 'id' | 'type' | 'metadata' | 'data'> & { recorded_at: string })[];
  shown?: { id: string; [field: string]: unknown };
}

const root = join(import.meta.dirname, '../../../..');

/**
 * Golden events of a service, for the specs of those who read them: of all its releases, each event once; of this commit while there is no
 * release. `publicEvents`: on these topics. `streams`: of a category of its own store.
 */
export function goldenOf(service: string) {
  const files = goldenFiles(service);
  const textsIn = (folder: string): string[] => files.flatMap(({ path, text }) => (path.startsWith(folder) ? [text] : []));
  return {
    publicEvents(...prefixes: string[]): PublicEvent[] {
      const texts = [...new Set(textsIn('golden/public/'))];
      const events = texts.map((text) => parseExact(text) as PublicEvent);
      return events.filter(({ type }) => prefixes.some((prefix) => type.startsWith(prefix)));
    },
    streams(category: string): GoldenStream[] {
      const all = textsIn(`golden/stored/${category}.json`).flatMap((text) => JSON.parse(text) as GoldenStream[]);
      return [...new Map(all.map((stream) => [JSON.stringify(stream.events), stream])).values()];
    },
  };
}

interface File {
  /** In its description: `golden/public/invoicing.invoice-created.v1.json`. */
  path: string;
  text: string;
}

function goldenFiles(service: string): File[] {
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
  globSync(`${versions}golden/*/*.json`, { cwd: folder })
    .toSorted()
    .map((path) => ({ path: path.slice(path.indexOf('golden/')), text: readFileSync(join(folder, path), 'utf8') }));
