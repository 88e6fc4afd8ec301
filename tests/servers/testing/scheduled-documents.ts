import { simulationProblem } from '@svc/contracts/document/simulation';
import { FOREIGN, type Wanted } from '@svc/fiscal-submission/submission/testing/national-schedules';
import { eventually } from '@svc/testkit';
import * as shops from '../../authorities/testing/shop.ts';
import type { ScriptedAuthority } from './scripted-authority.ts';

/** Within it one document is sent, as a rule. */
const SENT_MS = 10_000;
/** What a killed replica has claimed is free after 15 s, and the next one may be killed too. */
const SETTLED_MS = 150_000;

export interface Issued extends Wanted {
  /** As it was read last. */
  document: shops.Document;
}

const shown = ({ simulate, document: { number, status, fiscal, void: voided } }: Issued): string =>
  JSON.stringify({ simulate, number, status, fiscal, voided });

/** Documents of a shop, each with what its authority does to it. */
export class ScheduledDocuments {
  readonly all: Issued[] = [];
  /** How often one was submitted again, since its authority had refused it. */
  again = 0;
  private made = 0;

  constructor(
    private readonly shop: shops.Shop,
    private readonly authority: ScriptedAuthority,
  ) {}

  /** Those of which the authority has no other record. */
  get ours(): Issued[] {
    return this.all.filter(({ simulate }) => simulate !== FOREIGN);
  }

  isCancelled({ isCancelled }: Issued): boolean {
    return isCancelled && this.shop.authority === 'es-verifactu';
  }

  /** Issues invoices and receipts in turn, at once. */
  async issueAll(documents: readonly Wanted[]): Promise<void> {
    await Promise.all(documents.map((one) => this.issue(one, (this.made += 1) % 2 === 0)));
  }

  /** Issues invoices at once, and resolves when they are sent. */
  async sendAll(documents: readonly Wanted[]): Promise<void> {
    const issued = await Promise.all(documents.map((one) => this.issue(one)));
    for (const one of issued) await eventually(() => this.look(one), 'an outcome', SENT_MS).catch(() => undefined);
  }

  /** Resolves when each has its end. */
  async end(): Promise<void> {
    const all = async (): Promise<true> => {
      const left = await this.lookAtAll();
      if (left.length === 0) return true;
      throw new Error(left.map(shown).join('\n'));
    };
    await eventually(all, 'the end of all documents', SETTLED_MS);
  }

  /** Reads all; returns those that do not have their end yet. */
  async lookAtAll(): Promise<Issued[]> {
    const left: Issued[] = [];
    for (const one of this.all) if (!(await this.look(one))) left.push(one);
    return left;
  }

  /** What the interface does not know as a simulation is scripted for the next call. */
  private async issue({ simulate, isCancelled }: Wanted, isReceipt = false): Promise<Issued> {
    const isAsked = simulate !== null && simulationProblem({ simulate }) === undefined;
    if (simulate !== null && !isAsked) await this.authority.script(simulate);
    const over = isAsked ? { metadata: { simulate } } : {};
    const document = isReceipt ? await shops.receipt(this.shop, over) : (await shops.submit(this.shop, over)).body;
    if (typeof document.number !== 'string') throw new Error(JSON.stringify(document));
    const issued = { simulate, isCancelled, document };
    this.all.push(issued);
    return issued;
  }

  /** Whether a document has its end. What its authority refused is submitted again, and what is to be cancelled is voided. */
  private async look(issued: Issued): Promise<boolean> {
    const { call } = this.shop;
    const path = shops.pathOf(issued.document);
    const { body } = await call<shops.Document>('GET', path);
    issued.document = body;
    const status = body.fiscal?.status;
    if (issued.simulate === FOREIGN) return status === 'needs_review';
    if (status === 'rejected') {
      this.again += 1;
      await call('POST', `${path}/${body.object === 'invoice' ? 'submit' : 'resubmit'}`);
    }
    if (!this.isCancelled(issued)) return status === 'registered';
    if (status === 'registered' && !['voiding', 'voided'].includes(body.status))
      await call('POST', `${path}/void`, { body: { reason: 'Never reached the customer' } });
    return body.status === 'voided';
  }
}
