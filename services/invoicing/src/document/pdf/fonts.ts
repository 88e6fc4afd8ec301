import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Noto Sans: Latin, Greek and Cyrillic. What it has no glyph for shows as its box. Beside the bundled program (tools/bundle.mjs), else in its package. */
function font(folder: string, name: string): Buffer {
  const beside = fileURLToPath(new URL(name, import.meta.url));
  return readFileSync(
    existsSync(beside) ? beside : createRequire(import.meta.url).resolve(`@expo-google-fonts/noto-sans/${folder}/${name}`),
  );
}

let loaded: { regular: Buffer; bold: Buffer } | undefined;

/** Read once. */
export const fonts = (): { regular: Buffer; bold: Buffer } =>
  (loaded ??= { regular: font('400Regular', 'NotoSans_400Regular.ttf'), bold: font('700Bold', 'NotoSans_700Bold.ttf') });
