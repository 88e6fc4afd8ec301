import { CustomerResource } from '../../customer/resource.ts';
import { type DocumentKind, documents } from '../../documents.ts';
import type { Class } from '../../schema/class.ts';
import { EventResource } from '../../webhook/event.ts';
import type { WebhookEventType } from '../../webhook/vocabulary.ts';
import { times } from './ids.ts';
import { exampleOf } from './index.ts';

/** `invoice` */
export const subjectOf = (type: WebhookEventType): string => type.split('.')[0] ?? '';

/** What events of a subject carry. */
export const resourceOf = (subject: string): Class =>
  subject === 'customer' ? CustomerResource : documents[subject as DocumentKind].resource;

/** An example of a webhook event: what is sent as a sample, too. */
export function eventExample(type: WebhookEventType): EventResource {
  const resource = exampleOf(resourceOf(subjectOf(type))) as { version: number };
  const data = type === 'customer.deleted' ? { ...resource, deleted_at: times.later } : resource;
  return { ...(exampleOf(EventResource) as EventResource), type, sequence: data.version, data: data as Record<string, unknown> };
}
