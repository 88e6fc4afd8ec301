import type { PublishedEvent } from '../../testing/system.ts';

/** A document by its request. */
interface Asked {
  request: { subject: string };
}

/** What is published of documents. */
export class PublishedOutcomes {
  constructor(private readonly published: readonly PublishedEvent[]) {}

  /** Events of a type about a document: one that is published again is the same. */
  of(type: string, { request: { subject } }: Asked): { data: Record<string, unknown> }[] {
    const texts = this.published
      .filter((event) => event.type === `fiscal.${type}.v1` && event.subject === subject)
      .map((event) => JSON.stringify(event));
    return [...new Set(texts)].map((text) => JSON.parse(text) as { data: Record<string, unknown> });
  }

  isRegistered(document: Asked): boolean {
    return this.of('document-registered', document).length > 0;
  }

  isCancelled(document: Asked): boolean {
    return this.of('document-cancelled', document).length > 0;
  }

  /** What is said to be a duplicate of another record waits for a person. */
  isInReview(document: Asked): boolean {
    return this.of('document-delayed', document).some(({ data }) => data['status'] === 'needs_review');
  }

  refusedCancellations(document: Asked): number {
    return this.of('cancellation-refused', document).length;
  }
}
