// The program of the reader's process: reads the one file that it is sent, and is then killed. It imports no package of this repository, so that it runs from its source too.
import { readPkcs12, type CertificateFile } from './pkcs12.ts';

process.once('message', (file: CertificateFile) => process.send?.(readPkcs12(file)));
process.send?.('started');
