// Lists the event types and versions in a data folder, and those that the services store but the folder lacks.
import { DatabaseSync } from 'node:sqlite';

/** `category Type vN` of every stored event. */
export function typesIn(path) {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = db
      .prepare("SELECT DISTINCT substr(stream, 1, instr(stream, '-') - 1) AS category, type, metadata ->> 'v' AS v FROM events")
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
