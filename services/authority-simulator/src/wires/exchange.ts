import { dateOf, iso, type Clock } from '@svc/kernel';
import type { Storage } from '../embedded/storage.ts';
import { isFrom } from '../answer.ts';
import type { AuthorityId } from './authorities.ts';
import { Book } from './book.ts';
import { Exchanges } from './exchanges.ts';
import { Faults } from './faults.ts';
import { pageReply, type Exchanged, type Reply, type Wire, type WireRequest } from './wire.ts';

export interface Exchange {
  reply: Reply;
  /** Says that the answer did not leave. */
  unsent(): Promise<void>;
}

/** What all wires share: the account of the caller, the scripted faults, the record of every exchange. */
export class WireExchange {
  readonly exchanges: Exchanges;
  readonly faults: Faults;

  constructor(
    readonly storage: Storage,
    private readonly clock: Pick<Clock, 'now'>,
    /** Of requests and answers that are kept of each authority. */
    wireBytes: number,
  ) {
    Book.create(storage);
    this.exchanges = new Exchanges(storage, wireBytes);
    this.faults = new Faults(storage);
  }

  /** What an authority knows about all taxpayers; the accounts of callers have names, so that none of them is this one's. */
  registry(authority: AuthorityId): Book {
    return new Book(this.storage, authority, REGISTRY);
  }

  /** What an authority's clock says, in milliseconds since 1970. Call it inside of a write. */
  now(authority: AuthorityId): number {
    return this.clock.now() + (this.registry(authority).value<number>(CLOCK, '') ?? 0) * 1_000;
  }

  /** Sets an authority's clock, by the seconds that it is ahead of this machine's. Call it inside of a write. */
  setClock(authority: AuthorityId, ahead: number): void {
    this.registry(authority).setValue(CLOCK, '', ahead);
  }

  /** Answers a request and records both in one write. */
  async ask(wire: Wire, request: WireRequest): Promise<Exchange> {
    const { authority } = wire;
    const { n, reply } = await this.storage.write(() => {
      const now = this.now(authority);
      const exchanged = this.answer(wire, request, now);
      return { n: this.exchanges.record(authority, iso(now), request, exchanged), reply: dated(exchanged.reply, now) };
    });
    return { reply, unsent: () => this.exchanges.unsent(authority, n) };
  }

  private answer(wire: Wire, request: WireRequest, now: number): Exchanged {
    const { authority } = wire;
    const { method, path, headers, body } = request;
    if (!wire.paths.includes(path.split('?', 1)[0] ?? '')) return unjudged(pageReply(404, 'There is nothing here.'));
    const account = headers['x-taxpayer'] ?? '';
    if (account !== '' && !isFrom(account, { method, path, body: body.toString() }, headers['x-taxpayer-signature']))
      return unjudged(pageReply(401, 'X-Taxpayer-Signature is not the signature of this request.'));
    const script = Buffer.from(headers['x-simulate'] ?? '', 'latin1').toString('utf8');
    return wire.answer(request, {
      book: new Book(this.storage, authority, account),
      registry: this.registry(authority),
      now,
      fault: (occasion) => this.faults.take(authority, account, occasion, script),
      scripted: (occasion) => this.faults.take(authority, account, occasion, ''),
    });
  }
}

const REGISTRY = '*';
const CLOCK = 'clock';

/** An answer states the time by the clock of whoever gives it. */
const dated = (reply: Reply, now: number): Reply => ({ ...reply, headers: { ...reply.headers, date: dateOf(iso(now)).toUTCString() } });

const unjudged = (reply: Reply): Exchanged => ({ operation: '', fault: null, reply });
