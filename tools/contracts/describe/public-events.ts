import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PublicEvent } from '@svc/contracts/events/envelope';
import { publicEvents } from '@svc/contracts/events/registry';
import { createComponents } from '@svc/contracts/openapi/components';
import { schemaOf } from '@svc/contracts/schema/json-schema';

const published = (context: string) => [...publicEvents.values()].filter(({ type }) => type.startsWith(context));

/**
 * The schema of each public event of a context, the whole event with its envelope, in standard keywords. It describes what is written:
 * consumers ignore properties that it does not have. `x-topic`: where it is published.
 */
export function publicEventSchemas(context: string): [string, unknown][] {
  return published(context).map(({ type, topic, data }) => {
    const { title: _, ...envelope } = schemaOf(PublicEvent);
    const components = createComponents();
    const properties = { ...(envelope['properties'] as object), type: { const: type }, data: schemaOf(data) };
    const schema = components.inline({ ...envelope, properties });
    const whole = { $schema: 'https://json-schema.org/draft/2020-12/schema', $comment: type, 'x-topic': topic, ...schema };
    const text = JSON.stringify({ ...whole, $defs: components.schemas });
    return [`public-events/${type}.schema.json`, JSON.parse(text.replaceAll('"#/components/schemas/', '"#/$defs/'))];
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
