import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Scripts that have a Noto font of one file each, by the last part of its package's name, which is the name of the script too. */
export const SCRIPTS = [
  ...(['arabic', 'armenian', 'bengali', 'devanagari', 'ethiopic', 'georgian', 'gujarati', 'gurmukhi', 'hebrew', 'kannada'] as const),
  ...(['khmer', 'lao', 'malayalam', 'myanmar', 'oriya', 'sinhala', 'tamil', 'telugu', 'thaana', 'thai'] as const),
] as const;

const variable = '@fontsource-variable/';

/** Fonts that are divided into files of some 200 characters: simplified and traditional Chinese, Japanese, Korean, emoji. */
const divided = {
  sc: `${variable}noto-sans-sc`,
  tc: `${variable}noto-sans-tc`,
  jp: `${variable}noto-sans-jp`,
  kr: `${variable}noto-sans-kr`,
  emoji: `${variable}noto-emoji`,
} as const;

/** Fonts for what belongs to no script. */
const symbols = {
  symbols: `${variable}noto-sans-symbols/files/noto-sans-symbols-symbols-wght-normal.woff2`,
  pictures: '@fontsource/noto-sans-symbols-2/files/noto-sans-symbols-2-symbols-400-normal.woff2',
  math: '@fontsource/noto-sans-math/files/noto-sans-math-latin-400-normal.woff2',
} as const;

type Script = (typeof SCRIPTS)[number];
type Divided = keyof typeof divided;
export type FontName = Script | Divided | keyof typeof symbols;

/** By their paths in the packages. One file may have both weights; a font without a bold has the regular one. */
export interface FontFile {
  regular: string;
  bold?: string;
}

/** Latin, Greek and Cyrillic. */
const base = {
  regular: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  bold: '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf',
} as const;

/** This edition of Noto Naskh Arabic has whole letters. Newer ones and Noto Sans Arabic draw their dots one by one, and readers of PDF take each for a letter. */
const arabic = {
  regular: '@embedpdf/fonts-arabic/fonts/NotoNaskhArabic-Regular.ttf',
  bold: '@embedpdf/fonts-arabic/fonts/NotoNaskhArabic-Bold.ttf',
} as const;

const ofScript = (name: Script): FontFile => {
  if (name === 'arabic') return arabic;
  const both = `${variable}noto-sans-${name}/files/noto-sans-${name}-${name}-wght-normal.woff2`;
  return { regular: both, bold: both };
};
const isScript = (name: FontName): name is Script => (SCRIPTS as readonly string[]).includes(name);
const isDivided = (name: FontName): name is Divided => name in divided;

/** The files in which a font has a character if it has it. Scripts alone have a bold: Chinese, Japanese and Korean, whose files are many, have one weight. */
export function fontFile(name: FontName, codePoint: number): FontFile | undefined {
  if (isScript(name)) return ofScript(name);
  const regular = isDivided(name) ? filesOf(name).get(codePoint) : symbols[name];
  return regular === undefined ? undefined : { regular };
}

/** `U+4E00-4E03,U+9FFF` by the number of the file; other keys are of Latin letters, which the base font has. */
const indexOf = (name: Divided): [file: string, ranges: string][] =>
  Object.entries(JSON.parse(read(`${divided[name]}/unicode.json`).toString()) as Record<string, string>).flatMap(([key, ranges]) => {
    const number = /^\[(\d+)\]$/.exec(key)?.[1];
    return number ? [[`${divided[name]}/files/${basename(divided[name])}-${number}-wght-normal.woff2`, ranges] as [string, string]] : [];
  });

const indexes = new Map<Divided, ReadonlyMap<number, string>>();

/** The file of each character, read when it is needed first: some 2 MB for each font. */
function filesOf(name: Divided): ReadonlyMap<number, string> {
  const known = indexes.get(name);
  if (known) return known;
  const files = new Map<number, string>();
  for (const [file, ranges] of indexOf(name))
    for (const range of ranges.split(',')) {
      const [from = 0, to = from] = range
        .slice(2)
        .split('-', 2)
        .map((hex) => Number.parseInt(hex, 16));
      for (let codePoint = from; codePoint <= to; codePoint += 1) files.set(codePoint, file);
    }
  indexes.set(name, files);
  return files;
}

/** Every file of fonts, by its path in the packages: a build copies them (tools/bundle.mjs). */
export const fontFiles = (): readonly string[] => [
  ...new Set([
    ...Object.values(base),
    ...SCRIPTS.flatMap((name) => Object.values(ofScript(name))),
    ...Object.values(symbols),
    ...(Object.keys(divided) as Divided[]).flatMap((name) => [`${divided[name]}/unicode.json`, ...indexOf(name).map(([file]) => file)]),
  ]),
];

/** Where such a file stands beside the bundled program. */
export const besideName = (path: string): string =>
  `fonts/${path.endsWith('/unicode.json') ? `${basename(dirname(path))}.json` : basename(path)}`;

/** A file of a package, whatever the package exports: in the nearest `node_modules` above. */
export function packaged(path: string, folder: string = dirname(fileURLToPath(import.meta.url))): string {
  const here = join(folder, 'node_modules', path);
  if (existsSync(here)) return here;
  if (folder === dirname(folder)) throw new Error(`${path} is not installed: run npm ci`);
  return packaged(path, dirname(folder));
}

/** Beside the bundled program, else in its package. */
export function read(path: string): Buffer {
  const beside = fileURLToPath(new URL(besideName(path), import.meta.url));
  return readFileSync(existsSync(beside) ? beside : packaged(path));
}

let loaded: { regular: Buffer; bold: Buffer } | undefined;

/** Read once. */
export const baseFont = (): { regular: Buffer; bold: Buffer } => (loaded ??= { regular: read(base.regular), bold: read(base.bold) });
