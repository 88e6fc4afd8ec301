import { readFileSync } from 'node:fs';

/** A file of a secret that cannot be used, by the variable that is wrong, and why. */
export interface WrongSecret {
  name: string;
  was: string;
  expected: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that names a file of a secret. */
export const fileOf = (secret: string): string => `${secret}_FILE`;

/** A key ring of a hundred keys takes 5 KiB. */
const MOST_BYTES = 64 * 1024;

/**
 * The secrets whose variables name a file (`MONGODB_URL_FILE=/secrets/MONGODB_URL`), by the name of the secret: the text of the file without the end of its
 * last line. It is read once, at start.
 */
export function secretsInFiles(env: Environment, secrets: readonly string[]): { found: Record<string, string>; wrong: WrongSecret[] } {
  const [found, wrong]: [Record<string, string>, WrongSecret[]] = [{}, []];
  for (const name of secrets) {
    const path = env[fileOf(name)];
    if (!path) continue;
    const read = env[name] ? { why: `absent, since ${name} is given too: give one of them` } : textOf(path);
    if ('text' in read) found[name] = read.text;
    else wrong.push({ name: fileOf(name), was: JSON.stringify(path), expected: read.why });
  }
  return { found, wrong };
}

/** The secret of a variable, or of the file that its `_FILE` names. Undefined where neither is given; throws when the file cannot be used. */
export function secretOf(env: Environment, name: string): string | undefined {
  const { found, wrong } = secretsInFiles(env, [name]);
  if (wrong[0]) throw new Error(`${wrong[0].name} is ${wrong[0].was}; it must be ${wrong[0].expected}`);
  return found[name] ?? env[name];
}

function textOf(path: string): { text: string } | { why: string } {
  try {
    const bytes = readFileSync(path);
    const text = bytes.toString('utf8').replace(/\r?\n$/, '');
    if (bytes.length > MOST_BYTES) return { why: `a file of ${MOST_BYTES} bytes at most` };
    return text === '' ? { why: 'a file that is not empty' } : { text };
  } catch (error) {
    return { why: `a file that this process can read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}` };
  }
}
