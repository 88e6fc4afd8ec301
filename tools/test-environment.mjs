// Jest's environment: the process itself. What a test file has changed of it, and of packages that keep something for their process, is as before for the next one.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModernFakeTimers } from '@jest/fake-timers';
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { getMetadataStorage } from 'class-validator';
import { register } from 'prom-client';

/** Where Node keeps the compiled form of the programs that tests start: loading one is much of what most of them take. */
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');

/** As Node starts with them. */
const [globals, { stackTraceLimit }] = [Object.getOwnPropertyDescriptors(globalThis), Error];

const kept = () => ({
  ...{ exit: process.exit, exitCode: process.exitCode, env: { ...process.env }, folder: process.cwd() },
  listeners: new Map(process.eventNames().map((event) => [event, process.rawListeners(event)])),
});

function restore({ exit, exitCode, env, folder, listeners }) {
  Object.defineProperties(globalThis, globals);
  Object.assign(process, { exit, exitCode });
  process.chdir(folder);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  // What is to happen at the end of the process is left for it.
  for (const event of process.eventNames().filter((name) => !['beforeExit', 'exit'].includes(name)))
    for (const listener of process.rawListeners(event)) if (!listeners.get(event)?.includes(listener)) process.off(event, listener);
}

/** The classes that it has for validation are those of one test file, as the metrics are, which are defined where they are counted. */
function emptyPackages() {
  for (const api of [trace, context, propagation, metrics]) api.disable();
  register.clear();
  const storage = getMetadataStorage();
  for (const classes of [storage.validationMetadatas, storage.constraintMetadatas]) classes.clear();
}

export default class {
  global = globalThis;

  constructor({ projectConfig }) {
    this.before = kept();
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    // Of `jest` there are the clocks. Modules are not replaced: what a test makes is given its fakes.
    globalThis.jest = this.fakeTimersModern;
  }

  /** Jest has made it ten times as much. */
  async setup() {
    Error.stackTraceLimit = stackTraceLimit;
  }

  /** Before Jest reads the clock, to say how long the file took. */
  handleTestEvent({ name }) {
    if (name === 'run_finish') this.fakeTimersModern.dispose();
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    restore(this.before);
    emptyPackages();
  }

  getVmContext() {
    return null;
  }
}
