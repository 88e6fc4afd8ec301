import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { goProgram } from '../../../helm/tools/go-program.mjs';

export interface Registry {
  /** `localhost:5000`, without TLS. */
  host: string;
  /** The digest of a version in it, as the registry says. */
  digest(chart: string, version: string): Promise<string | null>;
  stop(): Promise<void>;
}

/** An OCI registry in memory. */
export async function startRegistry(): Promise<Registry> {
  const path = 'github.com/google/go-containerregistry/cmd/registry';
  const program = goProgram({ name: 'a registry', path, version: 'v0.21.0', takes: 'some seconds' });
  // Its log is a file: a pipe that is not read while a test waits for a program would stop it.
  const folder = mkdtempSync(join(tmpdir(), 'svc-registry-'));
  const log = join(folder, 'log');
  const file = openSync(log, 'w');
  const child = spawn(program, ['-port', '0'], { stdio: ['ignore', 'ignore', file] });
  closeSync(file);
  let port: string | undefined;
  while (port === undefined) {
    if (child.exitCode !== null) throw new Error(`the registry ended with ${child.exitCode}: ${readFileSync(log, 'utf8')}`);
    await sleep(20);
    port = /serving on port (\d+)/.exec(readFileSync(log, 'utf8'))?.[1];
  }
  const host = `localhost:${port}`;
  return {
    host,
    async digest(chart, version) {
      const answer = await fetch(`http://${host}/v2/${chart}/manifests/${version}`, { method: 'HEAD' });
      return answer.headers.get('docker-content-digest');
    },
    async stop() {
      child.kill();
      await once(child, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}
