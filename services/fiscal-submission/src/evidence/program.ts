import { existsSync, readFileSync } from 'node:fs';

/** The program that checks a bundle, which every bundle holds. It is `npm run verify -- evidence` too. */
const PROGRAM = ['verify.mjs', 'verify-xml.mjs', 'verify-zip.mjs'] as const;

/** Beside the bundled service (tools/bundle.mjs), else the source. */
const programFile = (name: (typeof PROGRAM)[number]): URL => {
  const beside = new URL(name, import.meta.url);
  return existsSync(beside) ? beside : new URL(`../../src/evidence/${name}`, import.meta.url);
};

let read: { name: string; bytes: Buffer }[] | undefined;
export const programFiles = (): { name: string; bytes: Buffer }[] =>
  (read ??= PROGRAM.map((name) => ({ name, bytes: readFileSync(programFile(name)) })));
