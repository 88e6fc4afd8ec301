import { Readable } from 'node:stream';
import type { DocumentFileResource } from '@svc/contracts/document/file';
import { LINKS } from '@svc/contracts/document/link';
import { type DocumentKind, documents } from '@svc/contracts/documents';
import type { Collection, Doc } from '@svc/document-store';
import { createCapacity, DomainError, notFound, type Env } from '@svc/kernel';
import { type Audited, entryOf, type Identity, type KeyRing, signedLinks } from '@svc/service';
import type { Context } from '../submission/context.ts';
import { submissionStream } from '../submission/submissions.ts';
import { dossierOf, type Dossier } from './dossier.ts';
import { evidenceFiles } from './files.ts';
import { zipOf } from './zip-stream.ts';

/** Nest's injection token of the `Evidence`. */
export const EVIDENCE = Symbol('evidence');

/** Begins the tokens of this service. */
export const FILES_PATH = `${LINKS}fiscal-submission.`;

/** A request for evidence: published for the audit, then deleted. */
export interface EvidenceRequest extends Doc, Audited {
  account: string;
  env: Env;
}

/** Bundles that are made and sent at a time: each holds a message. */
const OPEN = { perAccount: 2, inAll: 40 };

type Claims = [format: 'zip', kind: DocumentKind, env: Env, account: string, id: string];

export interface OpenedEvidence {
  name: string;
  type: string;
  body: Readable;
}

interface EvidenceOptions {
  context: Pick<Context, 'streams' | 'wireLog' | 'clock' | 'ids' | 'publicUrl'>;
  secrets: Pick<KeyRing, 'sign' | 'hasSigned'>;
  requests: Pick<Collection<EvidenceRequest>, 'insert'>;
}

/** Evidence of submissions: made anew whenever its link opens, of what is known then. Nothing of it is stored. */
export function createEvidence({ context, secrets, requests }: EvidenceOptions) {
  const { streams, clock, ids } = context;
  const links = signedLinks<Claims>({ ...context, secrets }, { path: FILES_PATH, purpose: 'links of evidence' });
  const capacity = createCapacity(OPEN);

  async function dossier(env: Env, account: string, kind: DocumentKind, id: string): Promise<Dossier> {
    const isOfKind = id.startsWith(`${documents[kind].prefix}_`);
    const found = isOfKind ? dossierOf(await streams.read(submissionStream(env, account, id))) : undefined;
    if (!found) throw notFound('submission');
    return found;
  }

  return {
    /** A link, once it is stored for the audit who asked. Throws not_found where nothing was submitted. */
    async linkTo({ account, env, actor, requestId }: Identity, kind: DocumentKind, id: string): Promise<DocumentFileResource> {
      await dossier(env, account, kind, id);
      const uid = ids.next();
      const change = { actor, requestId, type: kind, verb: 'evidence_read', target: { id, name: null }, changes: {} } as const;
      const unpublished = [entryOf(change, uid, clock.now())];
      await requests.insert({ _id: uid, version: 1, account, env, unpublished, due_at: clock.now() });
      return links.linkTo('zip', kind, env, account, id);
    },

    /** Throws not_found for a link that does not open, service_unavailable where the account has too many open. */
    async open(token: string): Promise<OpenedEvidence> {
      const [, kind, env, account, id] = links.opened(token);
      const of = await dossier(env, account, kind, id);
      const release = capacity.reserve(account, 1);
      if (!release)
        throw new DomainError('service_unavailable', 'Too many files are being sent. Open this link again in a moment.', undefined, 5);
      const files = evidenceFiles(context, { env, account, dossier: of });
      const body = Readable.from(zipOf(files, clock.now()), { highWaterMark: 1 });
      body.once('close', release);
      return { name: `evidence-${of.state.number.replaceAll(/[^\w.-]+/g, '-')}.zip`, type: 'application/zip', body };
    },
  };
}

export type Evidence = ReturnType<typeof createEvidence>;
