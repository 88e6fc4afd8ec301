import { systemClock, type Clock } from '@svc/kernel';
import { progressCheck, type Check, type Work } from './progress.ts';

export interface Report {
  ok: boolean;
  /** `ok` or the reason, by the name of the check. */
  checks: Record<string, string>;
}

const TIMEOUT_MS = 2_000;

/** The health of a process: whether it can serve (readiness) and whether it makes progress (liveness). */
export class Health {
  private readonly readiness = new Map<string, Check>();
  private readonly servers = new Map<string, Check>();
  private readonly liveness = new Map<string, Check>();
  /** Checks that must pass once, and whether they have. */
  private readonly once = new Map<string, boolean>();
  private readonly stopped = new AbortController();

  constructor(private readonly clock: Clock = systemClock) {}

  /** The process is ready when every check returns true. Registering a name again replaces its check. */
  register(name: string, check: Check): void {
    this.readiness.set(name, check);
  }

  /** A server that this process needs. The process is not ready while it does not answer. */
  registerServer(name: string, check: Check): void {
    this.servers.set(name, check);
    this.register(name, check);
  }

  /** After this check has passed once, it is still reported but no longer affects readiness. */
  needOnce(name: string): void {
    this.once.set(name, false);
  }

  /** Orchestrators restart the process when this check fails for long. */
  registerLiveness(name: string, check: Check): void {
    this.liveness.set(name, check);
  }

  /** Orchestrators restart the process when this work makes no progress although all servers answer. While one is down, a restart would not help. */
  registerProgress(name: string, work: Work): void {
    this.registerLiveness(
      name,
      progressCheck(this.clock, work, async () => !(await this.report(this.servers)).ok),
    );
  }

  /** The process is not ready from now on, whatever the checks return. */
  stop(): void {
    this.stopped.abort();
  }

  /** Aborts when the process begins to stop. */
  get stopping(): AbortSignal {
    return this.stopped.signal;
  }

  /** A check that takes longer than `withinMs` fails. */
  async ready(withinMs = TIMEOUT_MS): Promise<Report> {
    if (this.stopping.aborted) return { ok: false, checks: { process: 'is stopping' } };
    const { checks } = await this.report(this.readiness, withinMs);
    for (const name of this.once.keys()) if (checks[name] === 'ok') this.once.set(name, true);
    return { ok: Object.entries(checks).every(([name, result]) => result === 'ok' || this.once.get(name)), checks };
  }

  /** The servers that this process needs. */
  serverNames(): string[] {
    return [...this.servers.keys()];
  }

  live(): Promise<Report> {
    return this.report(this.liveness);
  }

  private async report(checks: ReadonlyMap<string, Check>, withinMs = TIMEOUT_MS): Promise<Report> {
    const results = await Promise.all([...checks].map(async ([name, check]) => [name, await this.run(check, withinMs)] as const));
    return {
      ok: results.every(([, result]) => result === true),
      checks: Object.fromEntries(results.map(([name, result]) => [name, result === true ? 'ok' : result])),
    };
  }

  private async run(check: Check, withinMs: number): Promise<true | string> {
    const done = new AbortController();
    const late = this.clock.sleep(withinMs, done.signal).then(() => `no answer within ${withinMs} ms`);
    try {
      return await Promise.race([Promise.resolve().then(check), late]);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      done.abort();
    }
  }
}
