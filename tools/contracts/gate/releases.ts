import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { versionsIn } from '../../release/releases.mjs';

/** Parsed files of a description by their path, as `describe.mjs` writes them. */
export type Description = ReadonlyMap<string, unknown>;

/** A released service, with the description that was written then. */
export interface Release {
  service: string;
  version: string;
  description: Description;
}

/** The releases in a folder `<service>/<version>/`, the oldest first. */
export function releasesIn(folder: string, service: string): Release[] {
  const own = join(folder, service);
  return versionsIn(own)
    .toReversed()
    .map((version) => ({ service, version, description: descriptionIn(join(own, version)) }));
}

const descriptionIn = (folder: string): Description =>
  new Map(
    globSync(['openapi.json', '{public-events,stored-events}/*.json', 'golden/*/*.json'], { cwd: folder })
      .toSorted()
      .map((path) => [path, JSON.parse(readFileSync(join(folder, path), 'utf8'))]),
  );

const suffix = '.schema.json';

/** The schemas in a folder of a description, by the name of the event. */
export function schemasIn(
  description: Description,
  folder: 'public-events' | 'stored-events',
): ReadonlyMap<string, Record<string, unknown>> {
  const files = [...description].filter(([path]) => path.startsWith(`${folder}/`) && path.endsWith(suffix));
  return new Map(files.map(([path, schema]) => [path.slice(folder.length + 1, -suffix.length), schema as Record<string, unknown>]));
}
