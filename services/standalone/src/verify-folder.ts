import { constants, existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { embeddedDocumentStore, type DocumentStore } from '@svc/document-store';
import { Engine, freeBytesOf, inMiB } from '@svc/embedded';
import { embeddedEventStore } from '@svc/event-store';
import { encryptedStore, servedProjections } from '@svc/invoicing';
import { systemClock as clock } from '@svc/kernel';
import { parseKeyRing, serviceKeyRing, type KeyRing, type Logger } from '@svc/service';
import { countCiphertexts, type Counts, type EncryptedDocuments } from '@svc/service/reencryption/stored-ciphertexts';
import { encryptedIn } from './encrypted-in.ts';
import { rewriteDataFolder } from './first-format.ts';
import { readSecrets, type GivenSecrets } from './secrets.ts';
import { verifyStreams } from './verify-streams.ts';
import { Problems, verifyEvents, type VerifiedEvents } from './verify-events.ts';

export interface Verified extends VerifiedEvents {
  /** No problem was found. */
  ok: boolean;
  /** Rows of each table. */
  rows: Record<string, number>;
  /** Ciphertexts by service and collection. */
  ciphertexts: Record<string, Record<string, Counts>>;
  problems: string[];
  /** Those beyond the named ones included. */
  problem_count: number;
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Verifies a backup, or the data folder of a process that does not run: the file, every stream, numbers, chains, lists, and that the keys decrypt. It works on
 * a copy beside the folder, which it removes, and for which the disk needs as much space as the database. Throws where that is missing.
 * @param keysOf the folder whose secrets.json decrypts
 */
export async function verifyFolder(folder: string, given: GivenSecrets, keysOf = folder): Promise<Verified> {
  const file = fileOf(resolve(folder));
  const keys = readSecrets(keysOf, given);
  const scratch = await scratchOf(resolve(folder), file);
  try {
    const problems = new Problems();
    checkFile(join(scratch, 'data.sqlite'), problems);
    if (problems.count > 0) return { ...NOTHING, ok: false, problems: problems.named, problem_count: problems.count };
    return await verifyScratch(scratch, keys, problems);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const NOTHING = { events: 0, streams: {}, numbers: 0, unnoted: 0, links: 0, rows: {}, ciphertexts: {} };

/** Throws where the folder has no database. */
function fileOf(folder: string): string {
  const file = join(folder, 'data.sqlite');
  if (existsSync(file)) return file;
  throw new Error(existsSync(folder) ? `${folder} has no data.sqlite: name the folder of a backup` : `there is no folder ${folder}`);
}

async function scratchOf(folder: string, file: string): Promise<string> {
  const files = [file, `${file}-wal`].filter((path) => existsSync(path));
  const bytes = (await Promise.all(files.map((path) => stat(path)))).reduce((sum, { size }) => sum + size, 0);
  const free = freeBytesOf(dirname(folder));
  if (free < bytes)
    throw new Error(`a copy of ${folder} is verified beside it, for which ${inMiB(bytes)} MiB must be free; there are ${inMiB(free)} MiB`);
  const scratch = await mkdtemp(`${folder}.verify-`);
  for (const path of files) await copyFile(path, join(scratch, path.slice(folder.length + 1)), constants.COPYFILE_FICLONE);
  return scratch;
}

function checkFile(path: string, problems: Problems): void {
  const db = new DatabaseSync(path);
  try {
    for (const { integrity_check: found } of db.prepare('PRAGMA integrity_check(20)').all())
      if (found !== 'ok') problems.add(`data.sqlite: ${String(found)}`);
  } catch (error) {
    problems.add(`data.sqlite: ${String(error)}`);
  } finally {
    db.close();
  }
}

async function verifyScratch(scratch: string, keys: readonly string[], problems: Problems): Promise<Verified> {
  await rewriteDataFolder(scratch, silent); // until 0.3: a folder of 0.1.0
  const rows = rowsOf(join(scratch, 'data.sqlite'));
  const engine = Engine.open(scratch, { durable: false });
  try {
    const documents = (database: string): DocumentStore => embeddedDocumentStore(engine, database);
    const ringOf = (service: string): KeyRing => parseKeyRing(serviceKeyRing(keys, service));
    const unreadable = Promise.withResolvers<string>();
    const raw = embeddedEventStore(engine, clock, { error: (fields) => unreadable.resolve((fields as { position: string }).position) });
    const logger = silent as unknown as Logger;
    const opened = encryptedStore({ eventStore: raw, documents: documents('svc_invoicing'), secrets: ringOf('invoicing'), clock, logger });
    const events = await verifyEvents({ raw, opened, unreadable: unreadable.promise }, problems);
    verifyStreams(engine, problems);
    checkLists(rows, events, problems);
    const ciphertexts = await decryptable(encryptedIn(documents, ringOf), problems);
    return { ok: problems.count === 0, ...events, rows, ciphertexts, problems: problems.named, problem_count: problems.count };
  } finally {
    engine.abandon();
  }
}

/** Rows of each collection. */
function rowsOf(path: string): Record<string, number> {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'svc_*.*' ORDER BY name").all();
    return Object.fromEntries(
      names.map(({ name }) => [String(name), Number(db.prepare(`SELECT count(*) AS n FROM "${String(name)}"`).get()?.['n'])]),
    );
  } finally {
    db.close();
  }
}

/** A list has a row of a stream at the most. It may lack some, which it catches up with. */
function checkLists(rows: Verified['rows'], { streams }: VerifiedEvents, problems: Problems): void {
  for (const { name, category } of servedProjections) {
    const [has, may] = [rows[`svc_invoicing.${name}`] ?? 0, streams[category] ?? 0];
    if (has > may) problems.add(`${name} has ${has} rows of ${may} streams`);
  }
}

async function decryptable(all: readonly EncryptedDocuments[], problems: Problems): Promise<Verified['ciphertexts']> {
  const found: Verified['ciphertexts'] = {};
  for (const of of all) {
    found[of.service] = await countCiphertexts(of);
    for (const [collection, { unreadable }] of Object.entries(found[of.service] ?? {}))
      if (unreadable > 0) problems.add(`${of.service}: no key decrypts ${unreadable} of ${collection}`);
  }
  return found;
}
