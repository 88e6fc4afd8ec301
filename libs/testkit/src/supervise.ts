import { startProgram, untilReady, type End, type Program } from './program.ts';

/** A process that is restarted whenever it ends, until it is stopped. */
export interface Replica {
  /** `invoicing-2` */
  name: string;
  service: string;
  url: string;
  /** Origin of its operators' port. */
  ops: string;
  /** Resolves when it is ready. */
  start(): Promise<void>;
  /** Signals it, waits for its end and does not restart it. */
  stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<End>;
  /** Signals it and waits for its end; it is restarted. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<End>;
  /** Stops it from running, as a process that hangs, until the returned function is called. */
  hang(): () => void;
  running(): boolean;
  ready(withinMs?: number): Promise<void>;
  /** Ends that no `stop` or `kill` caused. */
  crashes(): End[];
  /** The output of all its starts. */
  output(): string;
}

export interface Supervised {
  name: string;
  service: string;
  main: string;
  /** The build to which `main` belongs; by default that of this tree. */
  folder?: string;
  env: Record<string, string>;
  url: string;
  /** URL that answers 200 when it is ready. */
  health: string;
}

/** Pause before a restart, in milliseconds. */
const PAUSE_MS = 500;
/** Crashes before readiness after which it will never be ready. */
const TOO_OFTEN = 20;

export function supervise({ name, service, main, folder, env, url, health }: Supervised): Replica {
  let program: Program | undefined;
  let wanted = false;
  let past = '';
  let asked = false;
  const crashes: End[] = [];

  function launch(): void {
    asked = false;
    const started = startProgram(main, { env, ...(folder && { folder }) });
    program = started;
    void started.exit.then(async (end) => {
      past += `${started.output()}\n--- ${name} ended: ${end.code ?? end.signal}\n`;
      if (!asked) crashes.push(end);
      program = undefined;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (wanted && !program) launch();
    });
  }
  const output = (): string => past + (program?.output() ?? '');
  const kill: Replica['kill'] = async (signal) => {
    asked = true;
    return program ? program.kill(signal) : { code: null, signal: null };
  };
  // A crash meanwhile leads to a restart, up to a limit.
  const ready: Replica['ready'] = (withinMs = 150_000) => {
    const before = crashes.length;
    return untilReady(health, { ended: () => crashes[before + TOO_OFTEN], output }, withinMs);
  };

  return {
    name,
    service,
    url,
    ops: new URL(health).origin,
    start() {
      wanted = true;
      if (!program) launch();
      return ready();
    },
    stop(signal) {
      wanted = false;
      return kill(signal);
    },
    kill,
    hang() {
      const pid = program?.pid;
      if (pid === undefined) throw new Error(`${name} does not run`);
      process.kill(pid, 'SIGSTOP');
      return () => process.kill(pid, 'SIGCONT');
    },
    running: () => program !== undefined,
    ready,
    crashes: () => crashes,
    output,
  };
}
