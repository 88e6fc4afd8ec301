import type { Worker } from 'node:worker_threads';
import { createFairQueue, DomainError } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { IssuerKey, Keys } from './keys.ts';
import { NoKey, type KeyOwner, type Signed, type Signer } from './signer.ts';
import { startSigningThread, type SigningJob, type SigningReply } from './worker-thread.ts';

interface Waiting {
  issuer: IssuerKey;
  text: string;
  resolve(signed: Signed): void;
  reject(error: Error): void;
}

/** A text waits in memory, with its key: a message has at most 150 kB, and what is signed of it some hundred bytes. */
const LIMITS = { waitingInAll: 1_000, waitingPerAccount: 200, known: 1_000 };
/** Of a text whose thread has ended, in milliseconds: that of the longest key. */
const LOST_MS = 50;

/**
 * Signs in one thread of this process, which holds the keys: accounts take turns by the processor time that their signatures took, and too many are refused. A
 * thread that ends fails the text it had and is started again for the next.
 */
export function threadSigner(keys: Keys, logger: Logger, start: () => Worker = startSigningThread): Signer {
  const queue = createFairQueue<Waiting>(LIMITS);
  let thread: Worker | undefined;
  let current: { n: number; account: string; waiting: Waiting } | undefined;
  let sent = 0;
  let isClosed = false;

  function started(): Worker {
    const one = start();
    one.on('message', (reply: SigningReply) => thread === one && answer(reply));
    one.on('error', (error) => lose(one, error.message));
    one.on('exit', (code) => lose(one, `it ended with ${code}`));
    return one;
  }

  function lose(ended: Worker, reason: string): void {
    if (thread !== ended) return;
    thread = undefined;
    if (!isClosed) logger.error({ reason }, 'the thread that signs has ended');
    if (current) queue.charge(current.account, LOST_MS);
    current?.waiting.reject(unavailable());
    current = undefined;
    next();
  }

  function answer(reply: SigningReply): void {
    if (current?.n !== reply.n) return;
    const { account, waiting } = current;
    queue.charge(account, reply.ms);
    if ('failed' in reply && reply.failed === 'no_key') return post({ ...jobOf(waiting), key: waiting.issuer.key });
    current = undefined;
    if ('signature' in reply)
      waiting.resolve({ signature: Buffer.from(reply.signature, 'base64'), certificate: waiting.issuer.certificate });
    else waiting.reject(reply.failed === 'not_rsa' ? notRsa() : new Error(`the key cannot sign: ${reply.failed}`));
    next();
  }

  const jobOf = ({ issuer, text }: Waiting): SigningJob => ({ n: sent, fingerprint: issuer.fingerprint, text });
  const post = (job: SigningJob): void => (thread ??= started()).postMessage(job);

  function next(): void {
    if (current) return;
    const taken = queue.take();
    if (!taken) return;
    sent += 1;
    current = { n: sent, account: taken.account, waiting: taken.job };
    post(jobOf(taken.job));
  }

  return {
    async sign(owner: KeyOwner, text: string) {
      const issuer = await keys.of(owner);
      if (isClosed) throw unavailable();
      return new Promise<Signed>((resolve, reject) => {
        if (!queue.add(owner.account, { issuer, text, resolve, reject })) return reject(unavailable());
        next();
      });
    },
    async close() {
      isClosed = true;
      for (const { reject } of queue.clear()) reject(unavailable());
      await thread?.terminate();
    },
  };
}

const unavailable = (): DomainError =>
  new DomainError('service_unavailable', 'Too much waits to be signed. It is tried again.', undefined, 1);
const notRsa = (): NoKey =>
  new NoKey(
    'credentials_unsuitable',
    'The certificate has no RSA key, which this authority wants. PUT /v1/fiscal-credentials sets another; what waits is then sent.',
  );
