import { type Certified, CERTIFIED_HEADER, certifiedIn } from '@svc/contracts/credentials/certified-header';
import type { PageQuery } from '@svc/contracts/http/page';
import type { HistoryEntry } from '@svc/contracts/document/history';
import { isWaiting, withLiveProgress } from '@svc/contracts/document/progress';
import type { Projection, Projections, Row } from '@svc/event-store';
import { historyPage, listProjection, waitSeconds, type History, type JsonStream, type ListRequest } from '@svc/service';
import { JsonText } from '@svc/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Call, DocumentContext, Named, Written, DocumentRef } from './context.ts';
import { readOnce } from '../customer/customers.ts';
import type { ListTerms } from '../terms/list-terms.ts';
import { documentFilter, documentOrders, zoneFor, type DocumentsQuery } from './list.ts';
import { storedTexts, type StoredText } from './stored-texts.ts';
import type { Seen } from './wait.ts';

type OfOne = FastifyRequest<{ Params: { id: string } }>;
interface Routed<R extends Row, Resource, Shown, F extends string & keyof R> {
  documents: {
    definition: { eventsBefore: number };
    written(call: Call, id: string): Promise<Written<Shown>>;
    stream(ref: DocumentRef): string;
    see(call: Call, id: string): Promise<Seen<Resource>>;
    history(call: Call, id: string): Promise<History<HistoryEntry>>;
  };
  kind: 'invoice' | 'receipt';
  projection: Projection<R>;
  /** The filters as the rows have their values. */
  filtersOf?(query: DocumentsQuery): DocumentsQuery;
  /** Rows of the list as they are answered: a page of them at most. */
  shown?(rows: R[]): Promise<R[]>;
  /** The document as it is answered, of its state, or of these fields of its row. */
  answered?: { of: readonly F[]; text(call: Call, made: Written<Shown> | StoredText<Pick<R, F>>): Promise<JsonText> };
  /** Nothing changes by itself any more: the authority has answered, or a person is needed. */
  isSettled(resource: Resource): boolean;
}

export function documentRoutes<R extends Row, Resource extends { id: string }, Shown, F extends string & keyof R = never>(
  { context, projections, terms }: { context: DocumentContext; projections: Projections; terms: Pick<ListTerms, 'filter'> },
  { documents, kind, projection, filtersOf = (query) => query, shown, answered, isSettled }: Routed<R, Resource, Shown, F>,
) {
  const call = (request: FastifyRequest): Call => ({
    context,
    identity: request.identity,
    turn: request.turn,
    heavyTurn: request.heavyTurn,
    calculated: request.calculated,
    certified: () => certifiedOfRequest(context, request),
    customers: readOnce(context.customers),
  });

  const stored = storedTexts<R, F>({
    ...{ store: context.store, eventsBefore: documents.definition.eventsBefore },
    rows: () => projections.of(projection).rows,
    fields: answered?.of ?? [],
  });

  return {
    call,
    named: (request: OfOne): Named => ({ id: request.params.id, ifMatch: request.ifMatch }),

    /** A document that waits for its authority shows how far that is. Its version does not change with it. */
    async read(request: OfOne): Promise<JsonText> {
      const asking = call(request);
      const { id } = request.params;
      const stream = documents.stream({ ...request.identity, id });
      const found = (await stored(stream, request.turn)) ?? (await documents.written(asking, id));
      const made = answered ? await answered.text(asking, found) : found.text;
      const { progressOf, clock } = context;
      if (!progressOf || !isWaiting(made.text)) return made;
      const look = () => progressOf({ ...request.identity, id });
      return new JsonText(await withLiveProgress(made.text, look, clock), made.version);
    },

    async history(request: OfOne & ListRequest & { query: PageQuery }): Promise<JsonText | JsonStream> {
      return historyPage(await documents.history(call(request), request.params.id), request, context.publicUrl);
    },

    async list(request: FastifyRequest & ListRequest & { query: DocumentsQuery & PageQuery }): Promise<JsonText | JsonStream> {
      const { identity, query, turn, reply } = request;
      const timeZone = await zoneFor(query, context, identity);
      const running = projections.of(projection);
      const list = running.earlier ?? running;
      const found = query.q === undefined ? {} : await terms.filter(kind, { ...identity, q: query.q, turn, reply, list });
      return listProjection({
        running,
        publicUrl: context.publicUrl,
        request,
        filter: { ...documentFilter(filtersOf(query), timeZone), ...found },
        orders: documentOrders,
        shown,
      });
    },

    /** `Prefer: wait` delays the response until the authority has answered; the document as it is then. At once where no more may wait. */
    async settled(first: Resource, request: FastifyRequest, reply: FastifyReply): Promise<Resource> {
      const seconds = waitSeconds(request);
      if (seconds === 0) return first;
      request.releasePermit();
      const { account, env } = request.identity;
      const waited = await context.outcomeWaits.wait({
        ...{ stream: documents.stream({ account, env, id: first.id }), account, seconds, first, isSettled, response: reply.raw },
        look: () => documents.see(call(request), first.id).finally(() => request.releasePermit()),
      });
      if (waited === undefined) return first;
      reply.header('preference-applied', `wait=${seconds}`);
      return waited;
    },
  };
}

/** The caller's certificate: from this process, else as the gateway says; undefined: in test, where simulators take a published one, or it is not known. */
export async function certifiedOfRequest(
  { certifiedOf }: Pick<DocumentContext, 'certifiedOf'>,
  { identity, headers }: Pick<FastifyRequest, 'identity' | 'headers'>,
): Promise<Certified | undefined> {
  if (!identity.livemode) return undefined;
  return certifiedOf ? certifiedOf(identity) : certifiedIn(headers[CERTIFIED_HEADER]);
}
