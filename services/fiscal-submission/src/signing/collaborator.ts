import { readFileSync } from 'node:fs';
import { iso } from '@svc/kernel';
import { StartError } from '@svc/service/process/start-error';
import type { CommonKey } from './keys.ts';

export interface CollaboratorSettings {
  /** Path of a PKCS#12 file. */
  ES_VERIFACTU_CERTIFICATE?: string;
  ES_VERIFACTU_PASSPHRASE?: string;
}

/** The key of whoever sends for issuers without a certificate of their own; undefined: there is none. Throws `StartError` where the file cannot be used. */
export async function collaboratorOf(settings: CollaboratorSettings): Promise<CommonKey | undefined> {
  const { ES_VERIFACTU_CERTIFICATE: path, ES_VERIFACTU_PASSPHRASE: passphrase = '' } = settings;
  if (path === undefined) return undefined;
  // A process without such a certificate does not load the reader.
  const { readPkcs12 } = await import('../credentials/pkcs12.ts');
  const read = readPkcs12({ certificate: fileAt(path), passphrase });
  if ('refused' in read) {
    const { certificate, passphrase: wrong } = read.refused;
    throw new StartError(
      wrong ? `ES_VERIFACTU_PASSPHRASE is not that of ${path}: ${wrong}` : `ES_VERIFACTU_CERTIFICATE is ${path}: ${certificate}`,
    );
  }
  const { fingerprint, expiresAt, opened } = read;
  return { fingerprint, ...opened, expires_at: iso(expiresAt) };
}

/** Certificates with which the installation sends live documents of issuers without one, by authority. */
export const installedBy = (collaborator: CommonKey | undefined): ReadonlyMap<string, CommonKey> =>
  new Map(collaborator ? [['es-verifactu', collaborator]] : []);

function fileAt(path: string): string {
  try {
    return readFileSync(path).toString('base64');
  } catch (error) {
    throw new StartError(`ES_VERIFACTU_CERTIFICATE is ${path}, which cannot be read: ${(error as Error).message}`);
  }
}
