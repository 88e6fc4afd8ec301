import { closeSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram, type System } from '@svc/testkit';
import { OPS_TOKEN } from './shared/shared-system.ts';

export interface Certificate {
  complete: boolean;
  gaps: object[];
  sha256: string;
  open: { documents: number };
  meta: { total: number };
}

/** Of all periods. */
export const NUMBERING = '/reports/numbering?from=2020-01-01&to=2099-12-31';

/** The files that `npm run verify -- numbering` compares, in a folder of their own. */
export function openCertificateFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [certificate, exported] = [join(folder, 'numbers.csv'), join(folder, 'numbers.jsonl')];
  return {
    certificate,
    exported,
    /** Saves the report's CSV. */
    async save(url: string): Promise<void> {
      writeFileSync(certificate, Buffer.from(await (await fetch(url)).arrayBuffer()));
    },
    /** Writes what `svc admin export numbers` prints. */
    async exportNumbers({ allOps }: System, account: string): Promise<void> {
      const args = ['admin', 'export', 'numbers', '--account', account, '--livemode', 'false'];
      const runs = allOps().map(async (ops, n) => {
        const env = { OPS_PORT: new URL(ops).port, OPS_TOKEN };
        const printed = join(folder, `printed-${n}`);
        const stdout = openSync(printed, 'w');
        const { code } = await runProgram({ file: 'services/standalone/dist/bundle/svc.mjs', args, env, stdout });
        closeSync(stdout);
        return { code, printed };
      });
      // One of several services has the series.
      const run = (await Promise.all(runs)).find(({ code }) => code === 0);
      expect(run).toBeDefined();
      renameSync(run?.printed ?? '', exported);
    },
    verify: () => runProgram({ file: 'tools/verify/verify.mjs', args: ['numbering', certificate, exported] }),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
