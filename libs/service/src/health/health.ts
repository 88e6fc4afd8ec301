import { systemClock, type Clock } from '@svc/kernel';
import { progressCheck, type Check, type Work } from './progress.ts';

export interface Report {
  ok: boolean;
  /** By the name it was registered under: `ok`, or why not. */
  checks: Record<string, string>;
}

const TIMEOUT_MS = 2_000;

/** What a process knows of its own state: whether it serves (readiness), and whether it makes progress (liveness). */
export class Health {
  private readonly readiness = new Map<string, Check>();
  private readonly servers = new Map<string, Check>();
  private readonly liveness = new Map<string, Check>();
  /** What is needed once, and whether it has been there. */
  private readonly once = new Map<string, boolean>();
  private stopping = false;

  constructor(private readonly clock: Clock = systemClock) {}

  /** The process is ready when every check says true. A name registered again replaces the check. */
  register(name: string, check: Check): void {
    this.readiness.set(name, check);
  }

  /** A server that this process lives on, which makes the process not ready while it is away. */
  registerServer(name: string, check: Check): void {
    this.servers.set(name, check);
    this.register(name, check);
  }

  /** Once this check has said true from now on it is told, and no reason any more for not being ready. */
  needOnce(name: string): void {
    this.once.set(name, false);
  }

  /** The process is restarted when a check of these fails for long. */
  registerLiveness(name: string, check: Check): void {
    this.liveness.set(name, check);
  }

  /** The process is restarted when this work stands still although the servers answer: while one is away, no restart would help. */
  registerProgress(name: string, work: Work): void {
    this.registerLiveness(
      name,
      progressCheck(this.clock, work, async () => !(await this.report(this.servers)).ok),
    );
  }

  /** From now on not ready, whatever the checks say: no new work is to be sent here. */
  stop(): void {
    this.stopping = true;
  }

  async ready(): Promise<Report> {
    if (this.stopping) return { ok: false, checks: { process: 'is stopping' } };
    const { checks } = await this.report(this.readiness);
    for (const name of this.once.keys()) if (checks[name] === 'ok') this.once.set(name, true);
    return { ok: Object.entries(checks).every(([name, told]) => told === 'ok' || this.once.get(name)), checks };
  }

  live(): Promise<Report> {
    return this.report(this.liveness);
  }

  private async report(checks: ReadonlyMap<string, Check>): Promise<Report> {
    const results = await Promise.all([...checks].map(async ([name, check]) => [name, await this.run(check)] as const));
    return {
      ok: results.every(([, result]) => result === true),
      checks: Object.fromEntries(results.map(([name, result]) => [name, result === true ? 'ok' : result])),
    };
  }

  private async run(check: Check): Promise<true | string> {
    const done = new AbortController();
    const late = this.clock.sleep(TIMEOUT_MS, done.signal).then(() => `no answer within ${TIMEOUT_MS} ms`);
    try {
      return await Promise.race([Promise.resolve().then(check), late]);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      done.abort();
    }
  }
}
