import { cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@svc/testkit';
import { mixedFolder, removeAbandoned } from './release-build.ts';

export interface Planted {
  name: string;
  service: string;
  /** Texts of the built program, which has no spaces where it needs none, and what stands there instead. */
  texts: Record<string, string>;
}

/**
 * A build of one service as it would be after a change: today's, with other texts. Returns its folder, inside the repository so that it
 * finds packages. Throws when today's build does not hold a text.
 */
export function plant({ name, service, texts }: Planted): { folder: string; remove(): void } {
  removeAbandoned();
  const folder = join(mixedFolder, `${name.replaceAll(' ', '-')}.${process.pid}`);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  remove();
  const dist = join('services', service, 'dist');
  mkdirSync(join(folder, dist), { recursive: true });
  for (const part of ['start.mjs', 'bundle']) cpSync(join(root, dist, part), join(folder, dist, part), { recursive: true });
  for (const part of ['tools', 'rig']) symlinkSync(join(root, part), join(folder, part));

  const bundle = join(folder, dist, 'bundle');
  const files = new Map(globSync('*.mjs', { cwd: bundle }).map((file) => [file, readFileSync(join(bundle, file), 'utf8')]));
  for (const [text, other] of Object.entries(texts)) {
    const pattern = new RegExp(text.replaceAll(/[^\w ]/g, '\\$&').replaceAll(' ', '\\s*'), 'g');
    const holding = [...files].filter(([, code]) => code.search(pattern) >= 0);
    if (holding.length === 0) {
      remove();
      throw new Error(
        `the planted build "${name}" replaces ${JSON.stringify(text)}, which ${dist} does not hold: change it as the code has changed`,
      );
    }
    const planted = (): string => other;
    for (const [file, code] of holding) files.set(file, code.replace(pattern, planted));
  }
  for (const [file, code] of files) writeFileSync(join(bundle, file), code);
  return { folder, remove };
}
