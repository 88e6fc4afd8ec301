import { setPriority } from 'node:os';
import { platform, threadCpuUsage } from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { DomainError, type Details, type DomainErrorCode } from '@svc/kernel';
import { render, type Job, type Rendered } from './render.ts';

type Result =
  { rendered: Rendered } | { refused: { code: DomainErrorCode; message: string; details?: Details | undefined } } | { failed: string };

/** What the worker answers: the file, a domain error, or a defect; and the processor time of the job, in milliseconds. */
export type Reply = Result & { cpuMs: number };

/** More than any document needs: 500 lines with the longest descriptions. */
const MOST_BYTES = 16 * 1024 * 1024;

/** On Linux alone a thread has a priority of its own; elsewhere this would be that of the process. */
const { niceness } = workerData as { niceness: number };
if (platform === 'linux' && niceness > 0) setPriority(niceness);

/** The program of the worker thread: makes one file at a time. */
parentPort?.on('message', async (job: Job) => {
  const before = threadCpuUsage();
  const result = await resultOf(job);
  const { user, system } = threadCpuUsage(before);
  const reply: Reply = { ...result, cpuMs: (user + system) / 1_000 };
  parentPort?.postMessage(reply, 'rendered' in reply ? [reply.rendered.bytes.buffer] : []);
});

async function resultOf(job: Job): Promise<Result> {
  try {
    const rendered = await render(job);
    const { length } = rendered.bytes;
    return length > MOST_BYTES ? { failed: `a ${job.make} of ${length} bytes is too large` } : { rendered };
  } catch (error) {
    if (!(error instanceof DomainError)) return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    const { code, message, details } = error;
    return { refused: { code, message, details } };
  }
}
