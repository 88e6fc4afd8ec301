import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const expo = (name: string, file: string, hasBold = true) => ({
  regular: `@expo-google-fonts/${name}/400Regular/${file}_400Regular.ttf`,
  bold: hasBold ? `@expo-google-fonts/${name}/700Bold/${file}_700Bold.ttf` : undefined,
});
const han = (name: string, file: string) => ({ regular: `@embedpdf/fonts-${name}/fonts/${file}-Regular.otf`, bold: undefined });

/** Noto fonts by their packages. `base` has Latin, Greek, Cyrillic and Devanagari; `hans` is simplified Chinese, `hant` traditional. */
const files = {
  base: expo('noto-sans', 'NotoSans'),
  arabic: {
    regular: '@embedpdf/fonts-arabic/fonts/NotoNaskhArabic-Regular.ttf',
    bold: '@embedpdf/fonts-arabic/fonts/NotoNaskhArabic-Bold.ttf',
  },
  hebrew: expo('noto-sans-hebrew', 'NotoSansHebrew'),
  thai: expo('noto-sans-thai', 'NotoSansThai'),
  georgian: expo('noto-sans-georgian', 'NotoSansGeorgian'),
  armenian: expo('noto-sans-armenian', 'NotoSansArmenian'),
  bengali: expo('noto-sans-bengali', 'NotoSansBengali'),
  symbols: expo('noto-sans-symbols-2', 'NotoSansSymbols2', false),
  math: expo('noto-sans-math', 'NotoSansMath', false),
  hans: han('sc', 'NotoSansHans'),
  hant: han('tc', 'NotoSansHant'),
  japanese: han('jp', 'NotoSansJP'),
  korean: han('kr', 'NotoSansKR'),
} as const satisfies Record<string, { regular: string; bold: string | undefined }>;

export type FontName = keyof typeof files;

/** Every font file, by its path in the packages: a build copies them (tools/bundle.mjs). */
export const fontFiles: readonly string[] = Object.values(files).flatMap(({ regular, bold }) => (bold ? [regular, bold] : [regular]));

const loaded = new Map<string, Buffer>();

/** Which file a font has in this weight: one without a bold has the regular one. */
export const fontFile = (name: FontName, bold: boolean): string => (bold ? files[name].bold : undefined) ?? files[name].regular;

/** A file of a package, whatever the package exports: in the nearest `node_modules` above. */
export function packaged(path: string, folder: string = dirname(fileURLToPath(import.meta.url))): string {
  const here = join(folder, 'node_modules', path);
  if (existsSync(here)) return here;
  if (folder === dirname(folder)) throw new Error(`${path} is not installed: run npm ci`);
  return packaged(path, dirname(folder));
}

/** Read when it is needed first, and kept: all of them are some 34 MB. Beside the bundled program, else in its package. */
export function font(path: string): Buffer {
  const known = loaded.get(path);
  if (known) return known;
  const beside = fileURLToPath(new URL(basename(path), import.meta.url));
  const read = readFileSync(existsSync(beside) ? beside : packaged(path));
  loaded.set(path, read);
  return read;
}
