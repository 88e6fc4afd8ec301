import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PATTERN_METADATA } from '@nestjs/microservices/constants.js';
import { topics, type Topic } from '@svc/contracts/events/envelope';
import type { Subscription } from '@svc/event-bus/consumes';

const source = (service: string): string => join(import.meta.dirname, '..', '..', 'services', service, 'src');

/** The groups that a service joins, and the topics that it reads in each, as its consumers declare them. */
export async function subscriptionsOf(service: string): Promise<Subscription[]> {
  const files = globSync('**/*.ts', { cwd: source(service) })
    .map((file) => join(source(service), file))
    .filter((file) => /^ *@Consumes\(/m.test(readFileSync(file, 'utf8')) && !file.includes('/testing/') && !file.endsWith('.spec.ts'));
  const modules = (await Promise.all(files.map((file) => import(file)))) as Record<string, unknown>[];
  return modules.flatMap((module) => Object.values(module).flatMap(patternsOf));
}

function patternsOf(exported: unknown): Subscription[] {
  if (typeof exported !== 'function' || !exported.prototype) return [];
  const prototype = exported.prototype as Record<string, object>;
  return Object.getOwnPropertyNames(prototype).flatMap(
    (method) => (Reflect.getMetadata(PATTERN_METADATA, prototype[method] as object) as Subscription[] | undefined) ?? [],
  );
}

/** The topics that a service publishes to, as its program declares them: in `main.ts`, or by name in what registers its publishers. */
export async function publishedBy(service: string): Promise<Topic[]> {
  const main = readFileSync(join(source(service), 'main.ts'), 'utf8');
  const [, inline = '', name] = /^ *publishes: (?:\[(.*)\]|(\w+)),$/m.exec(main) ?? [];
  if (name) return [...(((await import(join(source(service), 'registrations.ts'))) as Record<string, Topic[]>)[name] ?? [])];
  return [...inline.matchAll(/\btopics\.(\w+)/g)].map(([, one = '']) => topics[one as keyof typeof topics]);
}
