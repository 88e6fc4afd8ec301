import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Runs every command that README.txt of a bundle prints, as it stands there, in the folder where the bundle is unpacked. Returns what they print. */
export function runPrinted(files: ReadonlyMap<string, Buffer | string>, { without }: { without?: RegExp } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'evidence-'));
  try {
    for (const [name, bytes] of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
    const lines = String(files.get('README.txt')).split('\n');
    const commands = lines.filter((line) => line.startsWith('  ') && !without?.test(line)).map((line) => line.slice(2));
    return execFileSync('sh', ['-e', '-c', commands.join('\n')], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
