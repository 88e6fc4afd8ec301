// Lists the event types and versions in a data folder, and those that the services store but the folder lacks.
import { DatabaseSync } from 'node:sqlite';
import { Phrases } from '../libs/embedded/src/phrases.ts';

/** `category Type vN` of every stored event. */
export function typesIn(path) {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    // Formats 1 and 2 have no phrases, and pack nothing.
    const isPacked = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'phrases'").get();
    const phrases = isPacked && Phrases.of(db);
    db.function('unpacked', (text) => (phrases ? phrases.unpack(text) : text));
    const rows = db
      .prepare("SELECT DISTINCT substr(stream, 1, instr(stream, '-') - 1) AS category, type, unpacked(metadata) ->> 'v' AS v FROM events")
      .all();
    return new Set(rows.map(({ category, type, v }) => `${category} ${type} v${v}`));
  } finally {
    db.close();
  }
}

/** Compares a folder with `{category: {Type: current version}}`: the types and older versions that it lacks, and those that are not declared. */
export function compared(found, declared) {
  const types = Object.entries(declared).flatMap(([category, of]) =>
    Object.entries(of).map(([type, v]) => ({ name: `${category} ${type}`, v })),
  );
  const today = types.map(({ name, v }) => `${name} v${v}`);
  const older = types.flatMap(({ name, v }) => Array.from({ length: v - 1 }, (_, n) => `${name} v${n + 1}`));
  const absent = (names) => names.filter((name) => !found.has(name));
  return {
    missing: absent(today),
    older: absent(older),
    undeclared: [...found].filter((name) => !today.includes(name) && !older.includes(name)),
  };
}
