import type { NetworkFault } from '@svc/fiscal-submission/submission/testing/faulty-network';
import {
  type Phase,
  type Schedule,
  sendingFaults,
  type Wanted,
  WRONG_MS,
} from '@svc/fiscal-submission/submission/testing/national-schedules';
import type { Processes } from '@svc/testkit';
import type { Random } from '@svc/testkit/simulation/random';
import type { Shop } from '../../authorities/testing/shop.ts';
import { ScheduledDocuments } from './scheduled-documents.ts';
import { ScriptedAuthority } from './scripted-authority.ts';
import { type SetClocks, sleep } from './set-clocks.ts';

const [WRONG_FOR_MS, DAY_MS] = [3_000, 86_400_000];
/** How long the day without the authority lasts by the machine's own clock. */
const AWAY_FOR_MS = 3_000;
/** Of certificates: of one that ends within a phase, by the machine's own clock, and of the next. How long what is issued then waits for another one. */
const [ENDS_MS, LASTS_MS, UNCERTIFIED_MS] = [12_000, 100 * DAY_MS, 2_000];
const SENDING = 'RegFactuSistemaFacturacion';
/** In which several documents are issued: seconds of TiempoEsperaEnvio, each a hundredth of one here. */
const LONG_WAIT = 'wait:500';
/** Within it of a phase a process is killed. */
const KILLED_MS = 1_500;

/** What a network does to a call, as the simulator does it to the next one. null: a process dies. */
const atSimulator: Record<NetworkFault, string | null> = {
  none: 'accept',
  refused: 'unavailable:1',
  lost_before: 'lost_request',
  lost_after: 'lost_reply',
  error_after: 'error_after_accept',
  gateway_503: 'unavailable:1',
  garbage: 'truncated',
  stale_answer: 'truncated',
  crash_before: null,
  crash_after: null,
};

interface Options {
  system: Processes;
  /** Other services than fiscal-submission keep the machine's. */
  clocks: SetClocks;
  shop: Shop;
  random: Random;
}

/** A shop whose documents are registered under a schedule, by replicas that are killed. */
export class ScheduledShop {
  readonly documents: ScheduledDocuments;
  /** When replicas of fiscal-submission were killed, and when their authority's process was: in milliseconds since 1970 by the clocks that are right. */
  readonly kills: number[] = [];
  readonly deaths: number[] = [];
  private readonly authority: ScriptedAuthority;

  constructor(private readonly of: Options) {
    this.authority = new ScriptedAuthority(of.system.simulator, of.shop);
    this.documents = new ScheduledDocuments(of.shop, this.authority);
  }

  /**
   * Resolves when every document has its end. The authority dies in the phase of that number. The day without it comes last: invoicing, whose clock stays, is a day
   * behind then.
   */
  async pass({ phases, network, authorityDiesAt }: Schedule): Promise<void> {
    const isDay = ({ happens }: Phase): boolean => happens === 'a day without the authority';
    const ordered = phases.toSorted((one, other) => Number(isDay(one)) - Number(isDay(other)));
    const share = Math.ceil(network.length / phases.length);
    await this.authority.setCertificate(LASTS_MS);
    for (const [n, phase] of ordered.entries()) {
      const faults = network.slice(n * share, (n + 1) * share).map((fault) => atSimulator[fault]);
      const killed = faults.filter((fault) => fault === null).map(() => this.kill());
      if (n + 1 === authorityDiesAt) killed.push(this.killAuthority());
      await Promise.all([this.begin(phase, faults), ...killed]);
      await this.documents.lookAtAll();
    }
    await this.authority.clear();
    await this.documents.end();
  }

  private async begin({ happens, documents }: Phase, faults: readonly (string | null)[]): Promise<void> {
    if (happens === 'partial batches') return this.sendTogether(documents, faults);
    if (happens === 'a rising wait') await this.scriptAll(sendingFaults[happens], SENDING);
    await this.scriptAll(faults);
    switch (happens) {
      case 'nothing':
        return this.documents.issueAll(documents);
      case 'a day without the authority':
        return this.outlastDay(documents);
      case 'clock ahead':
        return this.issueByWrongClock(documents, WRONG_MS);
      case 'clock behind':
        return this.issueByWrongClock(documents, -WRONG_MS);
      case 'a certificate that ends':
        return this.outliveCertificate(documents, { isRenewed: false });
      case 'a certificate that is renewed':
        return this.outliveCertificate(documents, { isRenewed: true });
      case 'a rising wait':
        for (const one of documents) await this.documents.sendAll([one]);
        return;
      default:
        return happens satisfies never;
    }
  }

  private async issueByWrongClock(documents: readonly Wanted[], by: number): Promise<void> {
    await Promise.all([this.of.clocks.setWrong(by, WRONG_FOR_MS), this.documents.issueAll(documents)]);
  }

  /** All but the first one, in the wait that its sending begins; a part of them is refused. */
  private async sendTogether([first, ...others]: readonly Wanted[], faults: readonly (string | null)[]): Promise<void> {
    // What no call of an earlier phase had would come first.
    await this.authority.clear();
    await this.authority.script(LONG_WAIT, SENDING);
    if (first) await this.documents.sendAll([first]);
    await this.scriptAll(sendingFaults['partial batches'], SENDING);
    await this.scriptAll(faults);
    await this.documents.sendAll(others);
    // A receipt of another phase that is refused for its data could not be submitted again.
    await this.authority.clear();
  }

  private async outlastDay(documents: readonly Wanted[]): Promise<void> {
    const { clocks, system } = this.of;
    await this.authority.script('unavailable:10000');
    const waiting = this.documents.issueAll(documents);
    await sleep(AWAY_FOR_MS);
    await clocks.pass(DAY_MS, system.simulator);
    await this.authority.clear();
    await waiting;
  }

  /** Half of the documents are issued before the certificate ends, and the others before there is another one, unless that was staged. */
  private async outliveCertificate(documents: readonly Wanted[], { isRenewed }: { isRenewed: boolean }): Promise<void> {
    const half = Math.ceil(documents.length / 2);
    const ends = Date.now() + ENDS_MS;
    await this.authority.setCertificate(ENDS_MS);
    if (isRenewed) await this.authority.setCertificate(LASTS_MS, { successor: true });
    await this.documents.issueAll(documents.slice(0, half));
    await sleep(Math.max(0, ends + 1_000 - Date.now()));
    const others = this.documents.issueAll(documents.slice(half));
    await sleep(UNCERTIFIED_MS);
    if (!isRenewed) await this.authority.setCertificate(LASTS_MS);
    await others;
  }

  private async scriptAll(faults: readonly (string | null)[], operation?: string): Promise<void> {
    for (const fault of faults) if (fault !== null) await this.authority.script(fault, operation);
  }

  private async kill(): Promise<void> {
    const { system, clocks, random } = this.of;
    const replica = random.pick(system.replicasOf('fiscal-submission'));
    await sleep(random.between(0, KILLED_MS));
    this.kills.push(clocks.now());
    await replica.kill('SIGKILL');
  }

  private async killAuthority(): Promise<void> {
    const { system, clocks, random } = this.of;
    const [simulator] = system.replicasOf('authority-simulator');
    await sleep(random.between(0, KILLED_MS));
    this.deaths.push(clocks.now());
    await simulator?.kill('SIGKILL');
    await simulator?.ready();
  }
}
