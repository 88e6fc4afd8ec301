import { MOST_MISSING } from '@svc/contracts/console/jobs';
import { CSV_END, csvHead, csvLine } from '@svc/service';
import { csvColumns, csvFields } from './csv-row.ts';
import type { Export } from './export.ts';
import type { List } from './lists.ts';
import type { Documents, Row } from './read-documents.ts';
import type { ZipWriter } from './zip-writer.ts';

/** What a format counts, and where it writes. */
export interface Target {
  done: number;
  missing: Export['missing'];
  writer: ZipWriter;
}

/** How documents become files. */
interface Format {
  add(list: List, row: Row): Promise<void>;
  /** Bytes that the writer does not have yet. */
  held(): number;
  /** Hands them to the writer. */
  flush(): Promise<void>;
  end(): Promise<void>;
}

export const formatOf = (job: Export, documents: Documents, target: Target): Format =>
  job.kind === 'pdf' || job.kind === 'ubl' ? fileEach(job.kind, documents, target) : linesOf(job.kind, job, target);

const EXTENSION = { pdf: 'pdf', ubl: 'xml' } as const;

/** A file for each document. */
function fileEach(kind: 'pdf' | 'ubl', documents: Documents, target: Target): Format {
  return {
    async add(list, { id, number }) {
      const file = await documents.file(list, kind, id);
      target.done += 1;
      if (!Buffer.isBuffer(file)) return void (target.missing.length < MOST_MISSING && target.missing.push(file));
      const name = `${nameOf(number ?? '', id)}.${EXTENSION[kind]}`;
      target.writer.begin(name);
      await target.writer.add(file);
      target.writer.end(name);
    },
    held: () => 0,
    flush: async () => undefined,
    end: async () => undefined,
  };
}

/** The number, in letters that all file systems take. A number that has others gets the end of the id, so that names stay different. */
export function nameOf(number: string, id: string): string {
  const name = number.replaceAll(/[^A-Za-z0-9_.-]+/g, '-').replaceAll(/\.{2,}/g, '-');
  return name === number ? name : `${name}_${id.slice(-8)}`;
}

/** One file with a line for each document. */
function linesOf(kind: 'csv' | 'jsonl', { asked: { from, to }, zip }: Export, target: Target): Format {
  const name = `documents-${from}-${to}.${kind}`;
  const { writer } = target;
  let [lines, held]: [string[], number] = [[], 0];
  const put = (line: string): void => {
    lines.push(line);
    held += line.length;
  };
  if (!zip.open) {
    writer.begin(name);
    if (kind === 'csv') put(csvHead(csvColumns));
  }
  const flush = async (): Promise<void> => {
    const text = Buffer.from(lines.join(''));
    [lines, held] = [[], 0];
    if (text.length > 0) await writer.add(text);
  };
  return {
    async add(_list, row) {
      put(kind === 'csv' ? `${csvLine(csvColumns, csvFields(row))}${CSV_END}` : `${JSON.stringify(row)}\n`);
      target.done += 1;
    },
    held: () => held,
    flush,
    async end() {
      await flush();
      writer.end(name);
    },
  };
}
