import { Worker } from 'node:worker_threads';

/** To the thread: what to sign, and the key where the thread may not have it yet (PKCS#8 in base64). */
export interface SigningJob {
  n: number;
  /** Of the certificate. */
  fingerprint: string;
  key?: string;
  text: string;
}

/** What became of a text: its signature in base64, or that the key is not known, is no RSA key, or failed. */
type Outcome = { signature: string } | { failed: 'no_key' | 'not_rsa' | string };

/** From the thread. `ms`: of its processor. */
export type SigningReply = { n: number; ms: number } & Outcome;

/** A thread that signs, one text after the other. */
export function startSigningThread(): Worker {
  const one = new Worker(`(${work})()`, { eval: true, name: 'signing', env: {} });
  one.unref();
  return one;
}

/** The thread's whole source: it refers to nothing outside of it. Keeps the keys that signed last. */
function work(): void {
  const { createPrivateKey, sign } = process.getBuiltinModule('node:crypto');
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  const MOST_KEYS = 1_000;
  const keys = new Map<string, ReturnType<typeof createPrivateKey>>();

  const keyOf = ({ fingerprint, key }: SigningJob) => {
    const kept = keys.get(fingerprint);
    const found =
      kept ?? (key === undefined ? undefined : createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' }));
    if (!found) return undefined;
    keys.delete(fingerprint);
    keys.set(fingerprint, found);
    const [oldest] = keys.keys();
    if (keys.size > MOST_KEYS && oldest !== undefined) keys.delete(oldest);
    return found;
  };
  const outcomeOf = (job: SigningJob): Outcome => {
    try {
      const key = keyOf(job);
      if (!key) return { failed: 'no_key' };
      if (key.asymmetricKeyType !== 'rsa') return { failed: 'not_rsa' };
      return { signature: sign('sha256', Buffer.from(job.text), key).toString('base64') };
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) };
    }
  };
  const replyTo = (job: SigningJob): SigningReply => {
    const before = process.threadCpuUsage();
    const outcome = outcomeOf(job);
    const { user, system } = process.threadCpuUsage(before);
    return { n: job.n, ms: (user + system) / 1000, ...outcome };
  };
  parentPort?.on('message', (job: SigningJob) => parentPort.postMessage(replyTo(job)));
}
