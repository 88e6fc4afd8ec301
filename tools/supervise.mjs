// Keeps processes running: starts them, prefixes their output, starts them again when they end by themselves, stops them.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { nodeOptions } from './node-options.mjs';
import { root } from './setup.mjs';

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 15_000;
/** After running this long, a process is started again with the first delay. */
const STEADY_MS = 10_000;
const LONGEST_LINE = 64 * 1024;
const LOOK_EVERY_MS = 50;
/** A process that is not ready by then is asked for the reason, at intervals. */
const PATIENCE_MS = 10_000;

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The variables that a process inherits besides its own settings. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'NODE_ENV', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'NODE_COMPILE_CACHE'];
const inherited = () => Object.fromEntries(INHERITED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

/**
 * Runs a process of the table until `stop`. It has a process group of its own, so that this process forwards signals in order. Its IPC channel
 * closes when this process ends, however it ends, and then it ends too.
 */
export function keepRunning({ name, main, env, health }, { say, show }) {
  let child;
  let delay = FIRST_DELAY_MS;
  let timer;
  let stopping = false;
  const over = Promise.withResolvers();

  function start() {
    const began = Date.now();
    child = spawn(process.execPath, [...nodeOptions, join(root, main)], {
      cwd: root,
      env: { ...inherited(), ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    eachLine(child.stdout, (line) => show(process.stdout, name, line));
    eachLine(child.stderr, (line) => show(process.stderr, name, line));
    child.once('exit', (code, signal) => {
      if (stopping) return over.resolve();
      if (Date.now() - began > STEADY_MS) delay = FIRST_DELAY_MS;
      say(`${name} ended with ${signal ?? code}; it is started again in ${delay / 1000} s`);
      timer = setTimeout(start, delay);
      delay = Math.min(delay * 2, MAX_DELAY_MS);
    });
  }

  start();
  return {
    name,
    /** Resolves when the process reports that it is ready. */
    async ready() {
      let reported;
      for (let due = Date.now() + PATIENCE_MS; !stopping; await sleep(LOOK_EVERY_MS)) {
        const why = await whyNotReady(health);
        if (why === undefined) return;
        if (Date.now() < due || why === reported) continue;
        say(`${name} is not ready: ${(reported = why)}`);
        due = Date.now() + PATIENCE_MS;
      }
    },
    /** Sends it a signal. Resolves when it has ended. */
    stop(signal) {
      stopping = true;
      clearTimeout(timer);
      if (child.exitCode !== null || child.signalCode !== null) over.resolve();
      else child.kill(signal);
      return over.promise;
    },
  };
}

async function whyNotReady(health) {
  try {
    const answer = await fetch(health, { signal: AbortSignal.timeout(3_000) });
    if (answer.ok) return undefined;
    const { checks } = await answer.json();
    const wrong = Object.entries(checks).filter(([, state]) => state !== 'ok');
    return wrong.map(([what, state]) => `${what}: ${state}`).join('; ');
  } catch {
    return 'it does not listen yet';
  }
}

function eachLine(stream, take) {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    lines.forEach(take);
    if (rest.length > LONGEST_LINE) {
      take(rest);
      rest = '';
    }
  });
  stream.on('end', () => rest && take(rest));
}
