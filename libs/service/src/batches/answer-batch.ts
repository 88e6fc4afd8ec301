import { createHash } from 'node:crypto';
import { BODY_LIMIT } from '@svc/contracts/http/route';
import { type Calculated, takeCalculated } from '@svc/contracts/schema/calculated';
import type { Class } from '@svc/contracts/schema/class';
import { problemsOf } from '@svc/contracts/schema/problems';
import { derivedUid, DomainError, invalid, jsonBytes, JsonText, nextTurn, textOf, type Turn, type Uid } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';
import { errorPayload } from '../errors/payload.ts';
import { requestIdOf } from '../errors/request-id.ts';
import { payloadTooLarge, toDomainError } from '../errors/to-domain-error.ts';
import type { Identity } from '../identity/identity.ts';
import { inSlices } from './slices.ts';
import { statusOf } from '../errors/status.ts';

/** What an item is carried out with, in place of the request's. */
export interface ItemContext {
  /** Has the item's own command id: to repeat the batch under its command id is to repeat each item. */
  identity: Identity;
  turn: Turn;
  /** The calculated fields of the item; undefined if there are none. */
  calculated?: Calculated;
}

interface Batch<Item> {
  items: readonly Item[];
  /** Status of an item that is done. */
  ok: 200 | 201;
  /** Returns the resource. An error is the answer to this item alone. */
  run(item: Item, context: ItemContext): Promise<object>;
}

/**
 * Characters of the answer after which no further item is carried out. An item that may go beyond, if those under way are as long as the longest so far, waits for them: so the
 * answer is longer by one item at most, or by those of the first slice. A repeat gets an answer of up to 8 MiB.
 */
const MOST_ANSWER = 6 * 1_048_576;

/** Carries out create bodies, each checked as that of a request of its own: by its size and by `shape`. Otherwise as `answerBatch`. */
export function createEach<Body extends object>(
  request: FastifyRequest<{ Body: { requests: Record<string, unknown>[] } }>,
  shape: Class<Body>,
  create: (body: Body, context: ItemContext) => Promise<object>,
): Promise<JsonText> {
  const mayBeTooLarge = (request.rawBody?.length ?? 0) > BODY_LIMIT;
  return answerBatch(request, {
    items: request.body.requests,
    ok: 201,
    async run(body, context) {
      if (mayBeTooLarge && jsonBytes(body) > BODY_LIMIT) throw payloadTooLarge();
      const calculated = takeCalculated(shape, body);
      const problems = problemsOf(shape, body);
      if (problems) throw invalid(problems);
      return create(body as Body, { ...context, calculated });
    },
  });
}

/**
 * Carries out each item by itself and answers `{object: "batch", succeeded, failed, data}` in their order. Items run at the same time, in slices, so that
 * they share commits and number claims and hold up nobody. Throws service_unavailable, with nothing done, where too many batches are under way.
 * The answer has Retry-After if an item failed for the time being: a repeat under the request's Idempotency-Key does what is missing.
 */
export async function answerBatch<Item>(request: FastifyRequest, { items, ok, run }: Batch<Item>): Promise<JsonText> {
  const { identity, reply, server } = request;
  await request.turn(MOST_ANSWER); // takes a permit, as any large answer does
  const turn: Turn = () => nextTurn(identity.account);
  const commandOf = itemCommands(identity.commandId);
  const entries: string[] = [];
  let [succeeded, length, longest] = [0, 0, 0];
  const mayBeFull = (underWay: number): boolean => length <= MOST_ANSWER && length + underWay * longest > MOST_ANSWER;

  async function answer(index: number): Promise<void> {
    let result: string;
    try {
      if (length > MOST_ANSWER) throw full();
      const resource = await run(items[index] as Item, { identity: { ...identity, commandId: commandOf(index) }, turn });
      result = `"status":${ok},"resource":${textOf(resource)}`;
      succeeded += 1;
    } catch (error) {
      const { status, body, retryAfter } = errorPayload(toDomainError(error), requestIdOf(request, reply));
      if (status >= 500) reply.header('retry-after', String(retryAfter ?? 1));
      logItem(request, { status, body, error });
      result = `"status":${status},${body.slice(1, -1)}`;
    }
    entries[index] = `{"index":${index},${result}}`;
    length += result.length;
    longest = Math.max(longest, result.length);
  }

  await inSlices(items.length, answer, { clock: server.clock, turn: () => turn(0), mayBeFull });
  const counts = `"succeeded":${succeeded},"failed":${items.length - succeeded}`;
  return new JsonText(`{"object":"batch",${counts},"data":[${entries.join()}]}`);
}

/**
 * The command ids of a batch's items: its own with the item's index in place of the 12 bits after the time, so that they sort by it, and a digest in place of the rest.
 */
function itemCommands(commandId: Uid): (index: number) => Uid {
  const digest = createHash('sha256').update(`batch ${commandId}`).digest();
  return (index) => derivedUid(commandId, Uint8Array.of(index >> 8, index & 255, ...digest.subarray(0, 8)));
}

/** As the error of a request by itself. */
function logItem(request: FastifyRequest, { status, body, error }: { status: number; body: string; error: unknown }): void {
  const { server, reply, method } = request;
  const code = /"code":"(\w+)"/.exec(body)?.[1];
  server.errorLog.log({
    ...server.errorLog.of(request),
    requestId: requestIdOf(request, reply),
    status,
    code,
    method,
    error,
    payload: body,
  });
}

const full = (): DomainError =>
  new DomainError(
    'payload_too_large',
    `The answer to this batch is full at ${MOST_ANSWER / 1_048_576} MiB. This item was not carried out: send it in another batch.`,
  );

/**
 * Carries out the items of a batch one after the other, in the order of the calls, for work whose order counts. A refused item (below 500) does not
 * stop those after it. One that failed for the time being, or whose outcome is not known, does: they are service_unavailable and nothing of them is
 * done, so that a repeat of the batch carries out all in their order.
 */
export function inOrder<Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>): (...args: Args) => Promise<Result> {
  let before: Promise<unknown> = Promise.resolve();
  return (...args) => {
    const result = before.then(() => run(...args));
    before = result.catch((error: unknown) => {
      if (statusOf(toDomainError(error).code) >= 500) throw notCarriedOut();
    });
    before.catch(() => undefined); // of the last item: nothing comes after it
    return result;
  };
}

const notCarriedOut = (): DomainError =>
  new DomainError(
    'service_unavailable',
    'An item before this one could not be finished, so this one was not carried out. Repeat the batch with the same Idempotency-Key.',
    undefined,
    1,
  );
