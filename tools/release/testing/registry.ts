import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
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
  const child = spawn(program, ['-port', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const lines = createInterface(child.stderr);
  const port = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the registry ended with ${code}`)));
    lines.on('line', (line) => {
      const [, said] = /serving on port (\d+)/.exec(line) ?? [];
      if (said) resolve(said);
    });
  });
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
    },
  };
}
