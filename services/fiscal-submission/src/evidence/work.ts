import type { DocumentStore } from '@svc/document-store';
import type { EventBus } from '@svc/event-bus';
import { type BackgroundWork, publishesChanges, type KeyRing } from '@svc/service';
import type { Context } from '../submission/context.ts';
import { createEvidence, type Evidence, type EvidenceRequest } from './evidence.ts';

interface EvidenceOptions {
  context: Context;
  documents: DocumentStore;
  bus: Pick<EventBus, 'publish'>;
  ring: KeyRing;
  /** The service. */
  source: string;
}

/** Evidence, and what publishes who asked for it. */
export function openEvidence({ context, documents, bus, ring, source }: EvidenceOptions): { evidence: Evidence; work: BackgroundWork } {
  const { clock, logger } = context;
  const requests = documents.collection<EvidenceRequest>('evidence_requests', { indexes: [{ fields: ['due_at'] }] });
  const work = publishesChanges({
    ...{ name: 'evidence', source, collection: requests, bus, clock, logger },
    accountOf: ({ account, env }) => ({ account, env }),
    afterwards: () => 'gone' as const,
  });
  return { evidence: createEvidence({ context, secrets: ring, requests }), work };
}
