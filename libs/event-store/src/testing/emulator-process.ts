import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '@svc/kernel/testing/free-port';

const main = join(import.meta.dirname, '../../../../rig/eventstoredb/dist/main.js');

/** The emulator as a separate process, on one port and one file however often it is started. */
export class EmulatorProcess {
  private readonly folder = mkdtempSync(join(tmpdir(), 'eventstoredb-'));
  private child: ChildProcess | undefined;
  /** '' until it was started once. */
  url = '';

  /** `graceMs`: how long open calls continue after SIGTERM. */
  async start(graceMs = 5_000): Promise<void> {
    const port = this.url === '' ? String(await freePort()) : new URL(this.url).port;
    const args = ['--data', join(this.folder, 'events.log'), '--port', port, '--grace-ms', String(graceMs)];
    const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.child = child;
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    this.url = line.replace('ready: ', '');
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Resolves when it has ended. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!child) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    if (signal === 'SIGKILL') child.kill('SIGCONT');
    await gone;
  }

  async remove(): Promise<void> {
    await this.end('SIGKILL');
    rmSync(this.folder, { recursive: true });
  }
}
