import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { DomainError, invalid, type Clock, type Details } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { CertificateFile, ReadCertificate, Refused } from './pkcs12.ts';

export interface CertificateReader {
  /**
   * What may be shown of the certificate in a file. Throws validation_error about `certificate` or `passphrase`, and service_unavailable where
   * too many wait or the worker does not start.
   */
  read(account: string, file: CertificateFile): Promise<ReadCertificate>;
  close(): Promise<void>;
}

/** Files that are read or wait, one of each account: the last waits for ten seconds. */
const MOST = 5;
/** OpenSSL writes files of 2,048 iterations, which take some 50 ms; one of 100,000 takes about half a second. */
const LONGEST_MS = 2_000;
const STARTS_WITHIN_MS = 10_000;
/** MiB, twice what a file of 64 KiB can take. A worker that needs more ends. */
const MOST_MEMORY = 128;

/** `read-certificate.mjs` beside the bundled program (tools/bundle.mjs), else the source. */
function workerProgram(): URL {
  const bundled = new URL('read-certificate.mjs', import.meta.url);
  return existsSync(bundled) ? bundled : new URL('worker.ts', import.meta.url);
}

/**
 * Reads files one after the other, each in a worker thread of its own: whoever sends a file chooses how much work it is, by iterations and sizes.
 * The worker is ended after two seconds, so that no other request waits for it.
 */
export function createCertificateReader(
  { clock, logger }: { clock: Pick<Clock, 'after'>; logger: Logger },
  program = workerProgram(),
): CertificateReader {
  const accounts = new Set<string>();
  const closing = new AbortController();
  let last: Promise<unknown> = Promise.resolve();

  async function readInWorker(file: CertificateFile): Promise<ReadCertificate> {
    if (closing.signal.aborted) throw unavailable('The service is shutting down.');
    const worker = new Worker(program, {
      name: 'certificate',
      execArgv: [],
      workerData: file,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY },
    });
    worker.unref();
    const { promise, resolve, reject } = Promise.withResolvers<ReadCertificate>();
    const notStarted = (reason: string): void => {
      logger.error({ reason }, 'the worker that reads certificates does not start');
      reject(unavailable('The certificate could not be read. Send it again.'));
    };
    const giveUp = (): void => reject(invalid(tooMuch));
    let end = notStarted;
    let cancel = clock.after(STARTS_WITHIN_MS, () => end('it takes too long'));
    worker.on('message', (message: 'started' | ReadCertificate | { refused: Refused }) => {
      if (message === 'started') {
        cancel();
        end = giveUp;
        cancel = clock.after(LONGEST_MS, giveUp);
      } else if ('refused' in message) reject(invalid(detailsOf(message.refused)));
      else resolve(message);
    });
    worker.on('error', (error) => end(error.message));
    worker.on('exit', (code) => end(`it ended with ${code}`));
    const stop = (): void => reject(unavailable('The service is shutting down.'));
    closing.signal.addEventListener('abort', stop);
    try {
      return await promise;
    } finally {
      closing.signal.removeEventListener('abort', stop);
      cancel();
      end = () => undefined;
      await worker.terminate();
    }
  }

  return {
    async read(account, file) {
      if (accounts.has(account)) throw unavailable('Another certificate of this account is being read. Send it again when that has ended.');
      if (accounts.size >= MOST) throw unavailable('Too many certificates are being read. Send it again.');
      accounts.add(account);
      const read = last.then(() => readInWorker(file));
      last = read.catch(() => undefined);
      try {
        return await read;
      } finally {
        accounts.delete(account);
      }
    },
    async close() {
      closing.abort();
      await last;
    },
  };
}

const tooMuch: Details = {
  certificate: ['The file takes too long to read: export it again with at most 100,000 iterations, and without other certificates.'],
};
const detailsOf = (why: Refused): Details => Object.fromEntries(Object.entries(why).map(([field, message]) => [field, [message]]));
const unavailable = (message: string): DomainError => new DomainError('service_unavailable', message, undefined, 1);
