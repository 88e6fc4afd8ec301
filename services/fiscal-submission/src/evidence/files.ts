import { createHash } from 'node:crypto';
import { iso, type Env } from '@svc/kernel';
import type { Context } from '../submission/context.ts';
import type { Attempt } from '../submission/domain/state.ts';
import { submissionStream } from '../submission/submissions.ts';
import { hashedBytes, wireBytes, wireEntry } from '../submission/wire-log.ts';
import { dossierOf, type Dossier, type KeptRecord } from './dossier.ts';
import { manifestOf, type AttemptFiles, type CertificateFile, type ListedFile } from './manifest.ts';
import { programFiles } from './program.ts';
import { qrSvg } from './qr.ts';
import { readmeOf } from './readme.ts';

/** What files of records are called, before their number. */
const names: Record<KeptRecord['operation'], string> = { register: 'round', amend: 'amendment', cancel: 'cancellation' };

/** Names are ASCII. */
export interface EvidenceFile {
  name: string;
  bytes: Buffer;
}

interface Of {
  env: Env;
  account: string;
  dossier: Dossier;
}

type Sources = Pick<Context, 'streams' | 'wireLog' | 'clock'>;

/** Errors of answers that were not taken for ones of the authority to the request. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'untrusted_answer',
  'wrong_request',
  'foreign_answer',
  'unexpected_answer',
  'unreadable_answer',
]);

/** In all messages together: authorities send one or two. */
const MOST_CERTIFICATES = 20;

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const extensionOf = (text: string): string => (text.startsWith('<') ? 'xml' : /^[{[]/.test(text) ? 'json' : 'txt');

/** The files of a bundle, the manifest last: one is in memory at a time. What is not kept any more is named in the manifest alone. */
export async function* evidenceFiles(sources: Sources, { env, account, dossier }: Of): AsyncGenerator<EvidenceFile> {
  const files: ListedFile[] = [];
  const listed = (name: string, bytes: Buffer): EvidenceFile => {
    files.push({ name, bytes: bytes.length, sha256: sha256(bytes) });
    return { name, bytes };
  };
  const certificates = new Map<string, CertificateFile & { pem: string }>();

  const attempts = new Map<number, AttemptFiles>();
  for (const attempt of dossier.state.attempts) {
    const { kept, ...of } = await attemptFiles(sources, attempt);
    attempts.set(attempt.n, of);
    for (const { name, bytes } of kept) {
      addCertificates(certificates, name, bytes);
      yield listed(name, bytes);
    }
  }
  const records = new Map<KeptRecord, { file: string; previous: string | null }>();
  for (const record of dossier.records) {
    const name = `${names[record.operation]}-${record.round}`;
    const own = recordFile(name, record);
    const before = await recordBefore(sources, { env, account }, record);
    const previous = before ? recordFile(`${name}-previous`, before) : undefined;
    records.set(record, { file: own.name, previous: previous?.name ?? null });
    yield listed(own.name, own.bytes);
    if (previous) yield listed(previous.name, previous.bytes);
  }
  for (const { file, pem } of certificates.values()) yield listed(file, Buffer.from(pem));
  const svg = qrSvg(linkOf(dossier));
  if (svg) yield listed('qr.svg', Buffer.from(svg));
  yield listed('README.txt', Buffer.from(readmeOf(dossier, { records, attempts, certificates: [...certificates.values()] })));
  for (const { name, bytes } of programFiles()) yield listed(name, bytes);

  const manifest = manifestOf({
    ...{ env, madeAt: iso(sources.clock.now()), dossier, attempts, records, files, qr: svg ? 'qr.svg' : null },
    certificates: [...certificates.values()].map(({ pem: _pem, ...one }) => one),
  });
  yield { name: 'manifest.json', bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) };
}

async function attemptFiles({ wireLog }: Sources, { n, kind, message_id, request_sha256, ended }: Attempt) {
  const [sent, received] = await Promise.all([wireEntry(wireLog, message_id, 'sent'), wireEntry(wireLog, message_id, 'received')]);
  const kept: EvidenceFile[] = [];
  const add = (direction: string, bytes: Buffer | undefined): string | null => {
    if (!bytes) return null;
    const name = `attempts/${String(n).padStart(4, '0')}-${kind}-${direction}.${extensionOf(bytes.toString().trimStart())}`;
    kept.push({ name, bytes });
    return name;
  };
  const request = { file: add('request', sent && (await hashedBytes(sent))), sha256: request_sha256 };
  const { response_sha256: hash = null, error } = ended ?? {};
  const file = hash === null ? null : add('response', received && (await wireBytes(received)));
  const response = hash === null ? null : { file, sha256: hash, trusted: !UNTRUSTED.has(error?.code ?? '') };
  return { kept, request, response, tls: received?.peer ?? null };
}

const recordFile = (name: string, { record }: Pick<KeptRecord, 'record'>): EvidenceFile => ({
  name: `records/${name}.${extensionOf(record)}`,
  bytes: Buffer.from(record),
});

/** The record before in the chain, where it is of a document of the same kind: who may read the one may read the other. */
async function recordBefore(
  { streams }: Sources,
  { env, account }: Pick<Of, 'env' | 'account'>,
  { link }: KeptRecord,
): Promise<KeptRecord | undefined> {
  const previous = link?.previous;
  if (!previous || kindOf(previous.document) !== kindOf(link.document)) return undefined;
  const dossier = dossierOf(await streams.read(submissionStream(env, account, previous.document)));
  return dossier?.records.find(({ operation, round }) => operation === previous.operation && round === previous.round);
}

/** The address in the document's QR code. */
const linkOf = ({ records }: Dossier): string =>
  records.flatMap((record) => (record.operation === 'register' ? record.verification_url : [])).at(-1) ?? '';

const kindOf = (documentId: string): string => documentId.split('_', 1).join();

/** The certificates in a message, as they stand there: nothing of them is decoded. */
function addCertificates(found: Map<string, CertificateFile & { pem: string }>, name: string, bytes: Buffer): void {
  for (const [, text = ''] of bytes.toString().matchAll(/<(?:\w+:)?X509Certificate>([A-Za-z0-9+/=\s]+)</g)) {
    const der = Buffer.from(text, 'base64');
    const hash = sha256(der);
    const known = found.get(hash);
    if (known) known.in.push(name);
    else if (found.size < MOST_CERTIFICATES) found.set(hash, certificateFile(found.size + 1, der, hash, name));
  }
}

function certificateFile(n: number, der: Buffer, hash: string, name: string): CertificateFile & { pem: string } {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  const pem = `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
  return { file: `certificates/${n}.pem`, sha256: hash, in: [name], pem };
}
