import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether Debian's xmlsec1 is installed: an implementation of XML signatures that shares nothing with this one. */
export const hasXmlsec = spawnSync('xmlsec1', ['--version']).status === 0;

/**
 * Verifies the enveloped signature of a message by xmlsec1: digest, signature, and that the certificate in it is issued by `anchor`. Throws what is wrong.
 * @param element whose `Id` is signed, such as RegisterInvoiceRequest
 * @param anchor PEM
 */
export function verifyByXmlsec(message: string, element: string, anchor: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'xmlsec-'));
  try {
    const [file, trusted] = [join(folder, 'message.xml'), join(folder, 'anchor.pem')];
    writeFileSync(file, message);
    writeFileSync(trusted, anchor);
    const args = ['--verify', '--enabled-key-data', 'x509', '--trusted-pem', trusted, `--id-attr:Id`, element, file];
    execFileSync('xmlsec1', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
