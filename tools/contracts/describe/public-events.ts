import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PublicEvent } from '@svc/contracts/events/envelope';
import { publicEvents } from '@svc/contracts/public-events';
import { schemaOf } from '@svc/contracts/schema/json-schema';
import { eventSchema } from './event-schema.ts';

const published = (context: string) => [...publicEvents.values()].filter(({ type }) => type.startsWith(context));

/**
 * The schema of each public event of a context, the whole event with its envelope, in standard keywords. It describes what is written:
 * consumers ignore properties that it does not have. `x-topic`: where it is published.
 */
export function publicEventSchemas(context: string): [string, unknown][] {
  return published(context).map(({ type, topic, data }) => {
    const { title: _, ...envelope } = schemaOf(PublicEvent);
    const properties = { ...(envelope['properties'] as object), type: { const: type }, data: schemaOf(data) };
    const schema = eventSchema({ ...envelope, properties });
    const whole = { $schema: 'https://json-schema.org/draft/2020-12/schema', $comment: type, 'x-topic': topic, ...schema };
    return [`public-events/${type}.schema.json`, whole];
  });
}

const sources = join(import.meta.dirname, '../../../libs/contracts/src');

/** The frozen example of each public event of a context. */
export function goldenPublic(context: string): [string, unknown][] {
  return published(context).map(({ type }) => {
    const [path] = globSync(`*/fixtures/${type}.json`, { cwd: sources });
    if (path === undefined) throw new Error(`${type} has no fixture: add libs/contracts/src/<subject>/fixtures/${type}.json`);
    return [`golden/public/${type}.json`, JSON.parse(readFileSync(join(sources, path), 'utf8'))];
  });
}
