import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Which release of which program runs. */
export interface Release {
  /** Of its service, such as `1.4.2`. */
  version: string;
  /** The commit that it was built from, in hexadecimal; `unknown` where neither an image nor a checkout says it. */
  commit: string;
}

const UNKNOWN = 'unknown';

/** Semantic Versioning 2.0.0, with the commit as build metadata: `1.4.2+08bdcd3a`. */
export const releaseText = ({ version, commit }: Release): string => (commit === UNKNOWN ? version : `${version}+${commit.slice(0, 8)}`);

/** Of the program that runs here. An image says its release by RELEASE_VERSION and RELEASE_COMMIT; a checkout by the manifest of the program and by git. */
export const currentRelease = (): Release => (found ??= releaseIn(dirname(realpathSync(process.argv[1] ?? '.')), process.env));
let found: Release | undefined;

/** Of the program in this folder. */
export function releaseIn(folder: string, { RELEASE_VERSION, RELEASE_COMMIT }: NodeJS.ProcessEnv): Release {
  return {
    version: given(RELEASE_VERSION) ?? versionAbove(folder) ?? UNKNOWN,
    commit: given(RELEASE_COMMIT) ?? commitAbove(folder) ?? UNKNOWN,
  };
}

const given = (text: string | undefined): string | undefined => (text && text !== UNKNOWN ? text : undefined);

/** What `read` finds in the folder or the nearest one above it. */
function nearest(folder: string, read: (folder: string) => string | undefined): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const text = read(at);
    if (text !== undefined || at === dirname(at)) return text;
  }
}

const versionAbove = (folder: string): string | undefined =>
  nearest(folder, (at) => {
    const manifest = textOf(join(at, 'package.json'));
    return manifest === undefined ? undefined : (JSON.parse(manifest) as { version?: string }).version;
  });

/** What HEAD of the repository is; undefined where there is none, or where it is a work tree of another one. */
const commitAbove = (folder: string): string | undefined =>
  nearest(folder, (at) => {
    const git = join(at, '.git');
    const head = textOf(join(git, 'HEAD'))?.trim();
    if (head === undefined || !head.startsWith('ref: ')) return head;
    const ref = head.slice('ref: '.length);
    return textOf(join(git, ref))?.trim() ?? packed(textOf(join(git, 'packed-refs')) ?? '', ref) ?? UNKNOWN;
  });

/** Each line of the file: `<commit> <ref>`. */
const packed = (refs: string, ref: string): string | undefined =>
  refs
    .split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.split(' ', 1)[0];

const textOf = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
