import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createFairQueue, DomainError, invalid, monotonicMs, type Clock, type Details } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { CertificateFile, ReadCertificate, Refused } from './pkcs12.ts';

export interface CertificateReader {
  /**
   * What may be shown of the certificate in a file, and its key. Throws validation_error about `certificate` or `passphrase`, and service_unavailable where
   * too many wait or the process does not start.
   */
  read(account: string, file: CertificateFile): Promise<ReadCertificate>;
  close(): Promise<void>;
}

/** Files of 64 KiB that wait, one of each account. */
const WAITING = { waitingInAll: 200, waitingPerAccount: 1, known: 1_000 };
/** The gateway waits for ten seconds, of which reading takes two. */
const WAITS_MS = 7_000;
/** Who is to come again in a second is awaited for so long. */
const AWAITED_MS = 5_000;
/** OpenSSL writes files of 2,048 iterations, which take some 50 ms; one of 100,000 takes about half a second. */
const LONGEST_MS = 2_000;
/** A file that takes longer than most is read again behind those that wait. */
const LONG_MS = 300;
const STARTS_WITHIN_MS = 10_000;
/** MiB, twice what a file of 64 KiB can take. A process that needs more ends. */
const MOST_MEMORY = 128;

/** `read-certificate.mjs` beside the bundled program (tools/bundle.mjs), else the source. */
function readingProgram(): URL {
  const bundled = new URL('read-certificate.mjs', import.meta.url);
  return existsSync(bundled) ? bundled : new URL('read-one.ts', import.meta.url);
}

interface Waiting {
  /** undefined: it has waited for `WAITS_MS`, and the account's next file has its turn. */
  file: CertificateFile | undefined;
  /** It has been read for `LONG_MS`, and others waited. */
  isLong: boolean;
  resolve(read: ReadCertificate): void;
  reject(error: unknown): void;
}

/** Others wait, and come first. */
class Long extends Error {}

/**
 * Reads files one after the other, each in a process of its own: whoever sends a file chooses how much work it is, by iterations and sizes. The process is
 * killed after two seconds, and with the service; nothing waits for its end. A thread would not do: native code is not interrupted by ending it. Accounts take
 * turns by the time that their files took, and files that take long are read when those that do not have been. Who has waited for too long keeps its turn, so that
 * whoever sends its file again is read, however many accounts send theirs meanwhile.
 */
export function createCertificateReader(
  { clock, logger }: { clock: Pick<Clock, 'after'>; logger: Logger },
  program = readingProgram(),
): CertificateReader {
  /** Those whose file is read or waits. */
  const accounts = new Set<string>();
  /** Turns of accounts whose file has waited for too long. */
  const kept = new Map<string, Waiting>();
  /** Those of them that have come, with what ends them. */
  const awaited = new Map<string, () => void>();
  const first: { account: string; job: Waiting }[] = [];
  const closing = new AbortController();
  const queue = createFairQueue<Waiting>(WAITING);
  let current: { job: Waiting; ended: Promise<void> } | undefined;

  async function readInProcess(file: CertificateFile, isLong: boolean): Promise<ReadCertificate> {
    if (closing.signal.aborted) throw shuttingDown();
    const execArgv = [`--max-old-space-size=${MOST_MEMORY}`, '--no-warnings'];
    const child = fork(program, { execArgv, env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const { promise, resolve, reject } = Promise.withResolvers<ReadCertificate>();
    const notStarted = (reason: string): void => {
      logger.error({ reason }, 'the process that reads certificates does not start');
      reject(unavailable('The certificate could not be read. Send it again.'));
    };
    const giveUp = (): void => reject(invalid(tooMuch));
    const giveWay = (): void => {
      if (accounts.size > 1) reject(new Long());
      else cancel = clock.after(LONGEST_MS - LONG_MS, giveUp);
    };
    let end = notStarted;
    let cancel = clock.after(STARTS_WITHIN_MS, () => end('it takes too long'));
    child.on('message', (message: 'started' | ReadCertificate | { refused: Refused }) => {
      if (message === 'started') {
        cancel();
        end = giveUp;
        cancel = clock.after(isLong ? LONGEST_MS : LONG_MS, isLong ? giveUp : giveWay);
        child.send(file, (error) => error && end(error.message));
      } else if ('refused' in message) reject(invalid(detailsOf(message.refused)));
      else resolve(message);
    });
    child.on('error', (error) => end(error.message));
    child.on('exit', (code, signal) => end(`it ended with ${code ?? signal}`));
    const stop = (): void => reject(shuttingDown());
    closing.signal.addEventListener('abort', stop);
    try {
      return await promise;
    } finally {
      closing.signal.removeEventListener('abort', stop);
      cancel();
      end = () => undefined;
      child.kill('SIGKILL');
    }
  }

  async function readOne(account: string, job: Waiting, file: CertificateFile): Promise<void> {
    const began = monotonicMs();
    const refused = await readInProcess(file, job.isLong).then(job.resolve, (error: unknown) => error);
    queue.charge(account, monotonicMs() - began);
    if (refused instanceof Long) {
      job.isLong = true;
      if (!queue.add(account, job, LONGEST_MS)) job.reject(tooMany());
      else if (!job.file) keep(account, job);
    } else if (refused) job.reject(refused);
    current = undefined;
    next();
  }

  function next(): void {
    if (current) return;
    const taken = first.shift() ?? queue.take();
    if (!taken) return;
    const { account, job } = taken;
    if (job.file) return void (current = { job, ended: readOne(account, job, job.file) });
    kept.delete(account);
    if (!job.isLong)
      awaited.set(
        account,
        clock.after(AWAITED_MS, () => awaited.delete(account)),
      );
    next();
  }

  function keep(account: string, job: Waiting): void {
    kept.set(account, job);
    job.reject(tooMany());
  }

  return {
    async read(account, file) {
      if (accounts.has(account)) throw unavailable('Another certificate of this account is being read. Send it again when that has ended.');
      const { promise, resolve, reject } = Promise.withResolvers<ReadCertificate>();
      const before = kept.get(account);
      const job: Waiting = before ? Object.assign(before, { file, resolve, reject }) : { file, isLong: false, resolve, reject };
      const isNext = awaited.get(account);
      isNext?.();
      awaited.delete(account);
      if (isNext) first.push({ account, job });
      else if (!before && !queue.add(account, job)) throw tooMany();
      kept.delete(account);
      accounts.add(account);
      next();
      const stopWaiting = clock.after(WAITS_MS, () => {
        job.file = undefined;
        // One that is being read is read to its end.
        if (current?.job !== job) keep(account, job);
      });
      try {
        return await promise;
      } finally {
        stopWaiting();
        accounts.delete(account);
      }
    },
    async close() {
      closing.abort();
      for (const end of awaited.values()) end();
      for (const { reject } of [...queue.clear(), ...first.splice(0).map(({ job }) => job)]) reject(shuttingDown());
      await current?.ended;
    },
  };
}

const tooMuch: Details = {
  certificate: ['The file takes too long to read: export it again with at most 100,000 iterations, and without other certificates.'],
};
const detailsOf = (why: Refused): Details => Object.fromEntries(Object.entries(why).map(([field, message]) => [field, [message]]));
const unavailable = (message: string): DomainError => new DomainError('service_unavailable', message, undefined, 1);
const tooMany = (): DomainError => unavailable('Too many certificates are being read. Send it again.');
const shuttingDown = (): DomainError => unavailable('The service is shutting down.');
