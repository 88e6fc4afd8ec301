import { prompts } from './prompts.ts';

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
let mayWriteLive = false;
let onEnd: () => void = () => undefined;

/** Called when the server says that the session has ended, or lacks something. */
export const whenSessionChanges = (listener: () => void): void => void (onEnd = listener);

/** A live write is agreed to once, until the page is loaded again. */
async function agree(request: Request): Promise<void> {
  const isLive = request.headers.get('X-Livemode') === 'true' && new URL(request.url).pathname.startsWith('/console/v1/');
  if (mayWriteLive || !isLive || !WRITES.has(request.method)) return;
  await prompts.ask('live-write');
  mayWriteLive = true;
}

const codeOf = async (response: Response): Promise<string | undefined> => {
  const body = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { error?: { code?: string } };
  return body.error?.code;
};

/** Sends a request of the client, and asks the person for what it needs: their consent to write in live, their password or code. Throws `Cancelled`. */
export async function send(request: Request): Promise<Response> {
  await agree(request);
  for (;;) {
    const response = await fetch(request.clone());
    if (response.status !== 401 && response.status !== 403) return response;
    const code = await codeOf(response);
    if (code === 'invalid_session' || code === 'session_incomplete') onEnd();
    if (code !== 'step_up_required') return response;
    await prompts.ask('step-up');
    // What was refused was not done, and its answer is kept under its key.
    if (request.method === 'POST') request.headers.set('Idempotency-Key', crypto.randomUUID());
  }
}
