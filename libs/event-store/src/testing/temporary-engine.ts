import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';

/** An engine on a temporary folder, deleted by `remove`; texts of many x are packed. `restart` opens the same folder again, `crash` without a last commit. */
export function temporaryEngine() {
  const folder = mkdtempSync(join(tmpdir(), 'event-store-'));
  const open = (): Engine => Engine.open(folder, { durable: false, phrases: ['x'.repeat(20), '{"n":'] });
  let engine = open();
  return {
    engine,
    restart(): Engine {
      engine.close();
      return (engine = open());
    },
    crash(): Engine {
      engine.abandon();
      return (engine = open());
    },
    remove(): void {
      engine.close();
      rmSync(folder, { recursive: true });
    },
  };
}
