// Lists the event types and versions in a data folder, and those that the services store but the folder lacks.
import { DatabaseSync } from 'node:sqlite';

/** `category Type vN` of every stored event. */
export function typesIn(path) {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const has = (table) => db.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table) !== undefined;
    const names = new Map(
      (has('names') ? db.prepare('SELECT code, name FROM names').all() : []).map(({ code, name }) => [String(code), name]),
    );
    const named = (stored) => names.get(stored) ?? stored; // no name begins with a digit
    const rows = db.prepare('SELECT stream, type, metadata FROM events').all();
    return new Set(
      rows.map(({ stream, type, metadata }) => `${named(stream.split('.', 1)[0]).split('-', 1)[0]} ${named(type)} v${versionIn(metadata)}`),
    );
  } finally {
    db.close();
  }
}

/**
 * The oldest versions that are read: 0.1.0 stores no older ones. Others are read from 1 on.
 * @type {Record<string, number>}
 */
const OLDEST = { 'invoice InvoiceSubmissionRequested': 2, 'invoice InvoiceNumbered': 2, 'receipt ReceiptRequested': 2 };

/** Compares a folder with `{category: {Type: current version}}`: the types and older versions that it lacks, and those that are not declared. */
export function compared(found, declared, oldest = OLDEST) {
  const types = Object.entries(declared).flatMap(([category, of]) =>
    Object.entries(of).map(([type, v]) => ({ name: `${category} ${type}`, v })),
  );
  const today = types.map(({ name, v }) => `${name} v${v}`);
  const older = types.flatMap(({ name, v }) => {
    const from = oldest[name] ?? 1;
    return Array.from({ length: v - from }, (_, n) => `${name} v${from + n}`);
  });
  const absent = (names) => names.filter((name) => !found.has(name));
  return {
    missing: absent(today),
    older: absent(older),
    undeclared: [...found].filter((name) => !today.includes(name) && !older.includes(name)),
  };
}

/** The event's schema version: the first value of the short form. */
function versionIn(metadata) {
  const parsed = JSON.parse(metadata);
  return Array.isArray(parsed) ? parsed[0] : parsed.v;
}
