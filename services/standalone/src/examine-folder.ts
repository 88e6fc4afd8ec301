import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { bytesToRewrite, FIRST_FORMAT_COPY, FORMAT, formatOf, freeBytesOf, inMiB, newerFormat, readFolder } from '@svc/embedded';
import { servedProjections } from '@svc/invoicing';
import { StartError } from '@svc/service/process/start-error';

/** Measured on two busy cores: 197 MiB in 7 s, 59,303 events in 25 s. */
const [REWRITTEN_PER_SECOND, EVENTS_PER_SECOND] = [20 * 1_048_576, 2_500];

/** What a start would do before or while it serves. */
export interface Step {
  what: string;
  /** Bytes that must be free for it. */
  bytes: number;
  seconds: number;
}

export interface Findings {
  /** undefined: there is no database yet. */
  database: { format: number; bytes: number } | undefined;
  steps: Step[];
  /** Bytes. */
  free: number;
  /** Files of earlier formats that stay until the operator removes them. */
  copies: string[];
}

/**
 * Finds what a start on a data folder would change, and changes nothing; also while a process runs on it. Throws a `StartError` for a folder that this
 * release does not start on: of a later release, or on a disk with too little space for what the start would do.
 */
export function examineFolder(folder: string): Findings {
  const db = readFolder(folder);
  if (!db) return { database: undefined, steps: [], free: freeBytesOf(existing(folder)), copies: [] };
  try {
    const format = formatOf(db);
    if (format > FORMAT) throw new StartError(newerFormat(format));
    const bytes = statSync(join(folder, 'data.sqlite')).size;
    const steps = [...rewriting(folder, format, bytes), ...newLists(db, bytes)];
    const free = freeBytesOf(folder);
    const needed = Math.max(0, ...steps.map((step) => step.bytes));
    if (needed > free) throw new StartError(tooFull(folder, steps, free));
    return { database: { format, bytes }, steps, free, copies: copiesIn(folder) };
  } finally {
    db.close();
  }
}

// until 0.3: data folders of 0.1.0 have format 1
const rewriting = (folder: string, format: number, bytes: number): Step[] =>
  format !== 1
    ? []
    : [
        {
          what: `data.sqlite of release 0.1.0 is rewritten to format ${FORMAT}, and the old file stays as ${FIRST_FORMAT_COPY}; nothing is served meanwhile`,
          bytes: bytesToRewrite(folder),
          seconds: bytes / REWRITTEN_PER_SECOND,
        },
      ];

/** Read models that this release has and the database does not. They hold less than half of it. */
function newLists(db: DatabaseSync, bytes: number): Step[] {
  const known = tableExists(db, 'svc_invoicing.checkpoints')
    ? new Set(
        db
          .prepare('SELECT _id FROM "svc_invoicing.checkpoints"')
          .all()
          .map(({ _id }) => _id),
      )
    : new Set();
  const events = tableExists(db, 'events') ? Number(db.prepare('SELECT max(position) AS last FROM events').get()?.['last'] ?? 0) : 0;
  const begun = servedProjections.filter(({ name }) => known.has(name));
  if (events === 0 || begun.length > 0) return [];
  return [
    {
      what: `lists are built anew from ${events} events; meanwhile they are read from those of the earlier release`,
      bytes: Math.ceil(bytes / 2),
      seconds: events / EVENTS_PER_SECOND,
    },
  ];
}

const tableExists = (db: DatabaseSync, name: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== undefined;

/** Names of the copies that upgrades have made. */
const copiesIn = (folder: string): string[] => readdirSync(folder).filter((name) => /^data-\d.*\.sqlite$/.test(name));

/** The nearest folder that exists. */
const existing = (folder: string): string => (existsSync(folder) ? folder : existing(join(folder, '..')));

function tooFull(folder: string, steps: readonly Step[], free: number): string {
  const of = steps.map(({ what, bytes }) => `${inMiB(bytes)} MiB: ${what}`);
  return `DATA_DIR ${folder}: there are ${inMiB(free)} MiB free, and a start needs\n${of.join('\n')}`;
}

/** The findings as text for an operator. */
export function findingsText(folder: string, { database, steps, free, copies }: Findings): string {
  const about = database ? `format ${database.format}, ${inMiB(database.bytes)} MiB` : 'no database yet: a start makes one';
  const does = steps.map(
    ({ what, bytes, seconds }) => `- ${what}. About ${Math.ceil(seconds)} s; needs ${inMiB(bytes)} MiB of ${inMiB(free)} MiB that are free`,
  );
  const kept = copies.map((name) => `${join(folder, name)} is the copy from before an upgrade; remove it when you do not go back.`);
  return [
    `DATA_DIR ${folder}: ${about}.`,
    ...(does.length > 0 ? ['A start would do this first:', ...does] : ['A start changes no format and builds no lists.']),
    ...kept,
    'Nothing was changed.',
  ].join('\n');
}
