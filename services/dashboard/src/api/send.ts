import { prompts } from './prompts.ts';
import { shown } from './shown.ts';

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** The session is another, has ended, or lacks something. */
const OF_SESSION = new Set(['invalid_session', 'session_incomplete', 'session_changed']);
let onEnd: () => void = () => undefined;

/** Called when the server says that the session has ended, is another, or lacks something. */
export const whenSessionChanges = (listener: () => void): void => void (onEnd = listener);

/** A live write is agreed to once in a session and an account, until the page is loaded again: the browser keeps nothing. */
let mayWriteLive = false;
shown.whenChanged(() => void (mayWriteLive = false));

/** They calculate or try, and change nothing. */
const CALCULATING = /\/(?:preview|fiscal-credentials\/check)$/;

/** Whether a request changes documents or settings of the live environment. A preview, a check and a dry run change nothing. */
export async function changesLive(request: Request): Promise<boolean> {
  const { pathname: path } = new URL(request.url);
  const isOfDocuments = path.startsWith('/console/v1/') || path === '/console/submissions';
  if (!isOfDocuments || !WRITES.has(request.method) || request.headers.get('X-Livemode') !== 'true') return false;
  return !CALCULATING.test(path) && !(await isDryRun(request));
}

async function isDryRun(request: Request): Promise<boolean> {
  const body = (await request
    .clone()
    .json()
    .catch(() => null)) as { dry_run?: unknown } | null;
  return body?.dry_run === true;
}

async function agree(request: Request): Promise<void> {
  if (mayWriteLive || !(await changesLive(request))) return;
  await prompts.ask('live-write');
  mayWriteLive = true;
}

/** Its answer is what is known of the session: it is not asked for once more because of it. */
const asksForSession = ({ method, url }: Request): boolean => method === 'GET' && new URL(url).pathname === '/console/me';

const codeOf = async (response: Response): Promise<string> => {
  const body = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { error?: { code?: string } };
  return body.error?.code ?? '';
};

/**
 * Sends a request of the client, and asks the person for what it needs: their consent to write in live, their password or code, after which it is sent again as it is.
 * Throws `Cancelled`.
 */
export async function send(request: Request): Promise<Response> {
  await agree(request);
  for (;;) {
    const response = await fetch(request.clone());
    if (![401, 403, 409].includes(response.status)) return response;
    const code = await codeOf(response);
    if (OF_SESSION.has(code) && !asksForSession(request)) onEnd();
    if (code !== 'step_up_required') return response;
    await prompts.ask('step-up');
  }
}
