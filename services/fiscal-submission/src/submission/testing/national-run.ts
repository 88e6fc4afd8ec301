import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { iso, systemClock } from '@svc/kernel';
import { type DocumentOf, issuers } from '../../authorities/testing/documents.ts';
import type { Http } from '../../sending/http.ts';
import type { SimulatorProcess } from '../../testing/simulator-process.ts';
import { bothClocks, type BothClocks } from './both-clocks.ts';
import { setCertificate } from './issuer-certificate.ts';
import { type Issued, sendingsIn } from './late-marks.ts';
import { MortalProcess } from './mortal-process.ts';
import { PublishedOutcomes } from './published-outcomes.ts';
import { FOREIGN, type Phase, type Schedule, sendingFaults, type Wanted, WRONG_MS } from './national-schedules.ts';

const DAY_MS = 86_400_000;
/** Of certificates: of one that ends within a phase, and of the next. */
const [ENDS_MS, LASTS_MS] = [30_000, 100 * DAY_MS];
/** Within it the calls of a phase are made, as a rule. */
const PHASE_MS = 300;
/** Within it a chain sends again. */
const PACED_MS = 2_000;
const FINISHED_MS = 60_000;
/** Within it all is done that waits for no time. */
const UNTIMED_MS = 1_000;

export interface Document extends Wanted, Issued {
  /** Of the last round. */
  request: PublicEvent<RegistrationRequested>;
  /** Requests to cancel it. */
  cancellations: number;
}

export interface National {
  simulator: SimulatorProcess;
  http: Http;
  authority: string;
}

/** An issuer who has documents registered under a schedule of faults. What its authority refuses is submitted again. */
export class NationalRun {
  readonly documents: Document[] = [];
  readonly outcomes: PublishedOutcomes;
  private readonly issuer: { tax_id: string; documentOf: DocumentOf };

  private constructor(
    private readonly national: National,
    private readonly schedule: Schedule,
    private readonly clocks: BothClocks,
    readonly process: MortalProcess,
  ) {
    this.issuer = issuers[national.authority]!();
    this.outcomes = new PublishedOutcomes(process.published);
  }

  /** Resolves when every document is registered, and cancelled where it is to be; or in review, where the authority has another one. */
  static async of(national: National, schedule: Schedule): Promise<NationalRun> {
    const { simulator, http, authority } = national;
    const clocks = await bothClocks(simulator, authority);
    const network = [...schedule.network];
    const run = new NationalRun(
      national,
      schedule,
      clocks,
      new MortalProcess({ simulator, http, clocks, schedule: { ...schedule, network } }),
    );
    // What was signed before the first one of its own has a key that the authority may never see.
    if (schedule.phases.some(({ happens }) => happens.startsWith('a certificate'))) await run.setCertificate({ endsInMs: LASTS_MS });
    for (const phase of schedule.phases) await run.pass(phase);
    await run.reachTimesAhead();
    const isDone = await run.until(() => run.isDone(), FINISHED_MS);
    await run.process.authorityRuns();
    if (isDone) return run;
    const states = await run.states();
    await run.process.system.close();
    throw new Error(`not finished: ${states}`);
  }

  get tax_id(): string {
    return this.issuer.tax_id;
  }

  canCancel(): boolean {
    return this.process.system.fiscal.context.authorities.test.get(this.national.authority)?.cancel !== undefined;
  }

  private async pass({ happens, documents }: Phase): Promise<void> {
    const { clocks, process } = this;
    const isAway = happens === 'a day without the authority';
    process.isAway = isAway;
    if (happens === 'clock ahead') clocks.setWrong(WRONG_MS);
    if (happens === 'clock behind') clocks.setWrong(-WRONG_MS);
    if (happens === 'partial batches') await this.script(sendingFaults[happens]);
    if (happens === 'a rising wait') return this.keepWaiting(documents);
    if (happens === 'a certificate that ends') return this.outliveCertificate(documents, { isRenewed: false });
    if (happens === 'a certificate that is renewed') return this.outliveCertificate(documents, { isRenewed: true });
    if (!isAway && clocks.wrongBy() === 0) return this.issue(documents);
    await this.issueAndCall(documents);
    process.isAway = false;
    clocks.setWrong(0);
    if (isAway) await clocks.pass(DAY_MS);
  }

  private async issueAndCall(documents: readonly Wanted[]): Promise<void> {
    const { calls } = this.process;
    const before = calls.length;
    await this.issue(documents);
    await this.until(() => calls.length >= before + documents.length, PHASE_MS);
  }

  /** Half of the documents are issued before the certificate ends, and the others before there is another one, unless that was staged. */
  private async outliveCertificate(documents: readonly Wanted[], { isRenewed }: { isRenewed: boolean }): Promise<void> {
    const half = Math.ceil(documents.length / 2);
    await this.setCertificate({ endsInMs: ENDS_MS });
    if (isRenewed) await this.setCertificate({ endsInMs: LASTS_MS, successor: true });
    await this.issueAndCall(documents.slice(0, half));
    await this.clocks.pass(ENDS_MS);
    await this.issueAndCall(documents.slice(half));
    if (!isRenewed) await this.setCertificate({ endsInMs: LASTS_MS });
  }

  private async setCertificate(of: { endsInMs: number; successor?: boolean }): Promise<void> {
    const { simulator, authority } = this.national;
    await this.process.use((system) => setCertificate(system, { simulator, authority, tax_id: this.tax_id, ...of }));
  }

  /** What was issued by a clock that was ahead waits for the time that it states. */
  private async reachTimesAhead(): Promise<void> {
    if (!this.schedule.phases.some(({ happens }) => happens === 'clock ahead')) return;
    if (!(await this.until(() => this.isDone(), UNTIMED_MS))) await this.clocks.pass(WRONG_MS + 10_000);
  }

  /** Each document is issued when the one before it is sent, so that each sending has the next wait behind it. */
  private async keepWaiting(documents: readonly Wanted[]): Promise<void> {
    const sendings = (): number => sendingsIn(this.process.calls).length;
    await this.script(sendingFaults['a rising wait']);
    for (const document of documents) {
      const before = sendings();
      await this.issue([document]);
      await this.until(() => sendings() > before, PACED_MS);
    }
  }

  private async script(faults: readonly string[]): Promise<void> {
    const { simulator, authority } = this.national;
    const of = { authority, tax_id: this.tax_id, operation: 'RegFactuSistemaFacturacion' };
    for (const fault of faults) await simulator.operate('/faults', { ...of, fault });
  }

  private async issue(wanted: readonly Wanted[]): Promise<void> {
    const [at, life] = [this.clocks.clock.now(), this.process.lives];
    const issued = wanted.map(({ simulate, isCancelled }): Document => {
      const asked = this.process.system.requested();
      const { document_id } = asked.data;
      const data = { ...asked.data, ...this.issuer.documentOf(iso(at), this.documents.length + 1), document_id, simulate };
      const document = { request: { ...asked, data }, number: data.number, at, life, simulate, isCancelled, cancellations: 0 };
      this.documents.push(document);
      return document;
    });
    await this.process.deliver(issued.map(({ request }) => request));
    // A cancellation of what is refused meanwhile is none.
    const mayBeRefused = this.schedule.phases.some(({ happens }) => happens === 'partial batches');
    if (!mayBeRefused) await this.cancel(issued);
  }

  private async cancel(documents: readonly Document[]): Promise<void> {
    const those = documents.filter(({ isCancelled }) => isCancelled && this.canCancel());
    for (const one of those) one.cancellations += 1;
    await this.process.deliver(those.map(({ request }) => this.process.system.cancellation(request.data)));
  }

  /** Whether the condition holds within that time. The issuer goes on meanwhile. */
  private async until(condition: () => boolean, withinMs: number): Promise<boolean> {
    const end = systemClock.now() + withinMs;
    while (!condition()) {
      if (systemClock.now() > end) return false;
      await this.process.goOn();
      await this.askAgain();
    }
    return true;
  }

  private async askAgain(): Promise<void> {
    for (const document of this.documents) {
      const { request } = document;
      const { round } = request.data;
      if (this.outcomes.of('document-rejected', document).length < round) continue;
      document.request = { ...request, id: `${request.id}r`, data: { ...request.data, round: round + 1 } };
      await this.process.deliver([document.request]);
    }
    const { outcomes } = this;
    await this.cancel(
      this.documents.filter((one) => outcomes.isRegistered(one) && one.cancellations <= outcomes.refusedCancellations(one)),
    );
  }

  private isDone(): boolean {
    const { outcomes } = this;
    const isEnded = (one: Document): boolean =>
      outcomes.isRegistered(one) && (!one.isCancelled || !this.canCancel() || outcomes.isCancelled(one));
    return this.documents.every((one) => (one.simulate === FOREIGN ? outcomes.isInReview(one) : isEnded(one)));
  }

  private async states(): Promise<string> {
    return JSON.stringify(await Promise.all(this.documents.map(({ request }) => this.process.system.state(request.subject))));
  }
}
