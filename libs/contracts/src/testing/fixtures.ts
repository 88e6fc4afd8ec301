import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The frozen example of an event type as JSON text, for the specs of publishers and consumers. */
export function fixtureOf(type: string): string {
  const [file = `fixtures/${type}.json`] = globSync(`*/fixtures/${type}.json`, { cwd: sources });
  return readFileSync(join(sources, file), 'utf8');
}

const sources = join(import.meta.dirname, '..');
