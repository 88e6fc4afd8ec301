import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { CancellationRequested, RegistrationRequested } from '@svc/contracts/registration/requested';
import { systemClock } from '@svc/kernel';
import { type Http, NotSent } from '../../sending/http.ts';
import type { SimulatorProcess } from '../../testing/simulator-process.ts';
import { FiscalSystem, type PublishedEvent, restarted } from '../../testing/system.ts';
import type { BothClocks } from './both-clocks.ts';
import { faultyNetwork } from './faulty-network.ts';
import { type Call, writtenDown } from './national-calls.ts';
import type { Schedule } from './national-schedules.ts';

/** A restarted process waits until what the one before has claimed is free. */
const RESTARTED_MS = 16_000;

const taking =
  (requests: readonly Request[]) =>
  ({ consumer }: FiscalSystem): Promise<void> =>
    consumer.on([...requests]);

export type Request = PublicEvent<RegistrationRequested> | PublicEvent<CancellationRequested>;

export interface Settings {
  simulator: SimulatorProcess;
  http: Http;
  clocks: BothClocks;
  schedule: Pick<Schedule, 'network' | 'authorityDiesAt'>;
}

interface Life {
  n: number;
  system: FiscalSystem;
  died: Promise<'died'>;
  isDead(): boolean;
}

/** The service of one issuer, whose process dies as its network says and is started again on the same data. So does its authority's. */
export class MortalProcess {
  readonly published: PublishedEvent[] = [];
  readonly calls: Call[] = [];
  /** No call reaches the authority. */
  isAway = false;
  private readonly asked: Request[] = [];
  private life: Life;
  private made = 0;
  private authorityRestarts: Promise<void> = Promise.resolve();

  constructor(private readonly settings: Settings) {
    this.life = this.live();
  }

  get system(): FiscalSystem {
    return this.life.system;
  }

  /** Counts its lives from 1. */
  get lives(): number {
    return this.life.n;
  }

  /** The bus repeats what a process that died has not acknowledged. */
  async deliver(requests: readonly Request[]): Promise<void> {
    if (requests.length === 0) return;
    this.asked.push(...requests);
    if (!(await this.survives(taking(requests)))) await this.revive();
  }

  /** Changes something in its system; again in its next life where it has died meanwhile. */
  async use(change: (system: FiscalSystem) => Promise<unknown>): Promise<void> {
    while (!(await this.survives(change))) await this.revive();
  }

  /** Waits for a short time, and starts it again where it has died. */
  async goOn(): Promise<void> {
    await Promise.race([this.life.died, systemClock.sleep(10)]);
    if (this.life.isDead()) await this.revive();
  }

  /** Resolves when its authority runs. */
  authorityRuns(): Promise<void> {
    return this.authorityRestarts;
  }

  private async revive(): Promise<void> {
    do {
      await this.settings.clocks.pass(RESTARTED_MS);
      this.life = this.live(this.life);
    } while (!(await this.survives(taking(this.asked))));
  }

  private async survives(what: (system: FiscalSystem) => Promise<unknown>): Promise<boolean> {
    const { system, died, isDead } = this.life;
    const done = what(system).then(
      () => true,
      (error: unknown) => {
        if (!isDead()) throw error;
        return false;
      },
    );
    return Promise.race([done, died.then(() => false)]);
  }

  private live(previous?: Life): Life {
    const { simulator, clocks, schedule } = this.settings;
    const death = Promise.withResolvers<'died'>();
    let dead = false;
    const crash = (): void => {
      dead = true;
      system.crash();
      death.resolve('died');
    };
    const life = { n: (previous?.n ?? 0) + 1, died: death.promise, isDead: () => dead };
    const http = writtenDown(
      faultyNetwork((request) => this.call(request), schedule.network, crash),
      { calls: this.calls, clocks, life: life.n, isDead: life.isDead },
    );
    const publish = async (events: PublishedEvent[]): Promise<void> => void this.published.push(...events);
    const options = { simulatorUrl: simulator.url, testUrls: simulator.testUrls, clock: clocks.clock, publish, http };
    const system = previous ? restarted(previous.system, options) : new FiscalSystem(options);
    return { ...life, system };
  }

  private async call(request: Parameters<Http>[0]): ReturnType<Http> {
    if (this.isAway) throw new NotSent('nothing listens');
    const answer = this.settings.http(request);
    if ((this.made += 1) === this.settings.schedule.authorityDiesAt) this.authorityRestarts = this.settings.simulator.crashAndRestart();
    return answer;
  }
}
