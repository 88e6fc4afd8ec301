import { parentPort } from 'node:worker_threads';
import { DomainError, type Details, type DomainErrorCode } from '@svc/kernel';
import { render, type Job, type Rendered } from './render.ts';

/** What the worker answers: the file, a domain error, or a defect. */
export type Reply =
  { rendered: Rendered } | { refused: { code: DomainErrorCode; message: string; details?: Details | undefined } } | { failed: string };

/** More than any document needs: 500 lines with the longest descriptions. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The program of the worker thread: makes one file at a time. */
parentPort?.on('message', async (job: Job) => {
  const reply = await replyTo(job);
  parentPort?.postMessage(reply, 'rendered' in reply ? [reply.rendered.bytes.buffer] : []);
});

async function replyTo(job: Job): Promise<Reply> {
  try {
    const rendered = await render(job);
    const { length } = rendered.bytes;
    return length > MOST_BYTES ? { failed: `a ${job.format} of ${length} bytes is too large` } : { rendered };
  } catch (error) {
    if (!(error instanceof DomainError)) return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    const { code, message, details } = error;
    return { refused: { code, message, details } };
  }
}
