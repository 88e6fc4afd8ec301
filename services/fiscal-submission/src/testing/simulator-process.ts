import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '../../../..');
/** Built: from its sources a start takes a second of processor more. */
const MAIN = join(ROOT, 'services/authority-simulator/dist/start.mjs');

/** One document in the authority's ledger. */
export interface Registered {
  document_number: string;
  issuer_tax_id: string;
  code: string;
  record_sha256: string;
  voided_at: string | null;
  received: { record_sha256: string }[];
}

/** The setting of an authority's port. */
const settingOf = (id: string): string => `${id.toUpperCase().replace('-', '_')}_PORT`;

/** The authority simulator as a separate process: it shares only the protocol with the adapter that it checks. */
export class SimulatorProcess {
  url = '';
  /** Origins of the national authorities, by id. */
  testUrls: Record<string, string> = {};
  private child: ChildProcess | undefined;
  private restarted: Promise<void> = Promise.resolve();
  private readonly folder = mkdtempSync(join(tmpdir(), 'simulator-'));

  /** With these national authorities besides the sandbox, on free ports. */
  static async start(...authorities: string[]): Promise<SimulatorProcess> {
    const simulator = new SimulatorProcess();
    await simulator.spawn({ SIMULATOR_PORT: '0', ...Object.fromEntries(authorities.map((id) => [settingOf(id), '0'])) });
    return simulator;
  }

  /** The ledger rows of one issuer. */
  async ledger(issuer: string): Promise<Registered[]> {
    const answer = await fetch(`${this.url}/ledger?limit=10000`);
    const { data } = (await answer.json()) as { data: Registered[] };
    return data.filter(({ issuer_tax_id }) => issuer_tax_id === issuer);
  }

  /** Kills it, and starts it again on the same port and file. */
  crashAndRestart(): Promise<void> {
    return (this.restarted = this.killAndStart());
  }

  private async killAndStart(): Promise<void> {
    await this.end('SIGKILL');
    const ports = Object.entries(this.testUrls).map(([id, url]) => [settingOf(id), new URL(url).port]);
    await this.spawn({ SIMULATOR_PORT: new URL(this.url).port, ...Object.fromEntries(ports) });
  }

  /** A call of operators, made again where it restarts meanwhile; the answer's JSON. */
  async operate<T>(path: string, body?: object): Promise<T> {
    const ask = async (): Promise<T> => {
      const answer = await fetch(`${this.url}${path}`, body && { method: 'POST', body: JSON.stringify(body) });
      return (await answer.json()) as T;
    };
    return ask().catch(async () => {
      await this.restarted;
      return ask();
    });
  }

  async stop(): Promise<void> {
    await this.end('SIGTERM');
    rmSync(this.folder, { recursive: true });
  }

  private async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  private async spawn(ports: Record<string, string>): Promise<void> {
    const env = { ...process.env, NODE_OPTIONS: '', ...ports, LEDGER_FILE: join(this.folder, 'ledger.sqlite') };
    const child = spawn(process.execPath, [MAIN], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.child = child;
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.includes('"msg":"the tax authority simulator listens"')) continue;
      const { url, addresses } = JSON.parse(line) as { url: string; addresses: Record<string, string> };
      this.url = url;
      this.testUrls = Object.fromEntries(Object.entries(addresses).map(([id, address]) => [id, `https://${address}`]));
      return;
    }
    throw new Error('the simulator did not start');
  }
}
