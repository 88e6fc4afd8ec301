import type { Identity } from '@svc/service';
import { type CertificateFile, type ReadCertificate, readPkcs12 } from '../../credentials/pkcs12.ts';
import { putCredentials } from '../../credentials/put.ts';
import { type FiscalSystem, ids } from '../../testing/system.ts';
import type { SimulatorProcess } from '../../testing/simulator-process.ts';

const DAY_MS = 86_400_000;

interface Certified {
  simulator: SimulatorProcess;
  authority: string;
  tax_id: string;
  /** When it ends, in milliseconds from now, by the authority's clock; to a second. */
  endsInMs: number;
  /** It follows the present one at its end. */
  successor?: boolean;
}

/** Has a system's account set a new certificate that the authority has issued to a taxpayer. */
export async function setCertificate(
  { fiscal, account }: FiscalSystem,
  { simulator, authority, tax_id, endsInMs, successor }: Certified,
): Promise<void> {
  const { certificate, passphrase } = await simulator.operate<CertificateFile>('/certificates', {
    ...{ authority, tax_id },
    days: endsInMs / DAY_MS,
  });
  const identity = { account, env: 'test', livemode: false, commandId: ids.next(), actor: { type: 'api_key', id: 'key_1' } };
  // Read in this process: one of its own takes a second.
  const certificates = { read: async (_account: string, file: CertificateFile) => readPkcs12(file) as ReadCertificate };
  await putCredentials(
    { ...fiscal.credentials, certificates },
    identity as unknown as Identity,
    { certificate, passphrase, ...(successor && { successor }) },
    { authority, tax_id },
  );
}
