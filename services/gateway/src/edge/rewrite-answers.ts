import { pipeline, Readable, Transform } from 'node:stream';
import { decimalsIn } from '@svc/contracts/route-decimals';
import { type RouteName, routes } from '@svc/contracts/routes';
import { nextTurn } from '@svc/kernel';
import { preferenceOf } from '@svc/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AccountNames, type WithNames, withNames } from '../actors/with-names.ts';
import { amountsAsText } from '../amounts/as-text.ts';
import type { AnswerForm } from '../idempotency/row.ts';
import { ACTOR, holdsPersonalData, personalMembers } from '../personal-data/withheld.ts';
import { withoutMembers } from '../personal-data/without-members.ts';
import type { AnyRouteName } from '../routing/route-table.ts';
import type { RequestContext } from './request-context.ts';

/** What becomes of the text of an answer as it passes, in pieces of any size. */
type Rewrite = Pick<WithNames, 'pass'> & Partial<WithNames>;

/**
 * Rewrites answers: null for the personal data where the caller does not see them, names of the members in the history of documents, which is stored with their
 * ids alone, and decimals as text where `Prefer: amounts=string` asks for it. Add it before what keeps responses under their Idempotency-Key, so that a repeat
 * gets the form of the first.
 */
export function rewriteAnswers(fastify: FastifyInstance, namesOf: AccountNames): void {
  fastify.addHook<unknown>('onSend', (request, reply, payload, done) => {
    const rewrites = rewritesOf(request, reply, namesOf);
    if (rewrites.length === 0) return done(null, payload);
    reply.removeHeader('content-length');
    const { pass, end } = inOrder(rewrites);
    if (payload instanceof Readable) return done(null, throughStream(payload, { pass, end }));
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload);
    const rewritten = async (): Promise<Buffer> => Buffer.concat([await pass(Buffer.from(payload as string)), await end()]);
    rewritten().then((text) => done(null, text), done);
  });
}

/** The form in which who asks gets the answer. */
export const formOf = (request: FastifyRequest, { route, principal }: RequestContext): AnswerForm => ({
  ...(route && asksForTexts(request, route.name) && { amounts: true }),
  ...(route && isWithheld(principal, route.name) && { withheld: true }),
});

const isWithheld = ({ personalData }: RequestContext['principal'], name: AnyRouteName): boolean => !personalData && holdsPersonalData(name);

const asksForTexts = (request: FastifyRequest, name: AnyRouteName): boolean =>
  preferenceOf(request, 'amounts')?.toLowerCase() === 'string' && Object.hasOwn(routes, name) && decimalsIn(name as RouteName).size > 0;

const NONE: readonly Rewrite[] = [];
/** Their answers say who did something. */
const HISTORIES: ReadonlySet<string> = new Set<RouteName>(['GET /invoices/{id}/events', 'GET /receipts/{id}/events']);
const APPLIED = 'preference-applied';
/** Bytes that are worked on in one turn of the event loop: some 2 ms. */
const PIECE = 64 * 1024;

function rewritesOf(request: FastifyRequest, reply: FastifyReply, namesOf: AccountNames): readonly Rewrite[] {
  const { requestContext: context } = request;
  if (!context?.route || reply.statusCode >= 300) return NONE;
  const { name } = context.route;
  const rewrites: Rewrite[] = [];
  if (isWithheld(context.principal, name) || context.form?.withheld) {
    const pass = withoutMembers({ names: personalMembers(), except: ACTOR });
    rewrites.push({ pass: async (piece) => pass(piece) });
  }
  const { account } = context.principal;
  if (HISTORIES.has(name)) rewrites.push(withNames((ids) => namesOf(account, ids)));
  // The repeat of an earlier response has its form; one that was kept has it already.
  const isText = reply.hasHeader('idempotent-replayed') ? context.form?.amounts : asksForTexts(request, name);
  if (!isText) return rewrites;
  const before = reply.getHeader(APPLIED);
  reply.header(APPLIED, before === undefined ? 'amounts=string' : `${String(before)}, amounts=string`);
  return [...rewrites, inTurns(amountsAsText(decimalsIn(name as RouteName)), account)];
}

const inTurns = (pass: (piece: Buffer) => Buffer, account: string): Rewrite => ({
  async pass(bytes) {
    const pieces = [pass(bytes.subarray(0, PIECE))];
    for (let at = PIECE; at < bytes.length; at += PIECE) {
      await nextTurn(account);
      pieces.push(pass(bytes.subarray(at, at + PIECE)));
    }
    return Buffer.concat(pieces);
  },
});

/** One after the other. */
function inOrder(rewrites: readonly Rewrite[]) {
  return {
    async pass(piece: Buffer): Promise<Buffer> {
      let text = piece;
      for (const rewrite of rewrites) text = await rewrite.pass(text);
      return text;
    },
    async end(): Promise<Buffer> {
      let rest = Buffer.alloc(0);
      for (const { pass, end } of rewrites) rest = Buffer.concat([await pass(rest), ...(end ? [end()] : [])]);
      return rest;
    },
  };
}

function throughStream(from: Readable, { pass, end }: ReturnType<typeof inOrder>): Readable {
  const to = new Transform({
    highWaterMark: 1, // holds no more than the piece that is passed on
    transform: (piece: Buffer, _, done) => void pass(piece).then((text) => done(null, text), done),
    flush: (done) => void end().then((text) => done(null, text), done),
  });
  return pipeline(from, to, () => undefined); // an error of either destroys both
}
