import { create, type Subset } from 'fontkit';
import * as hb from 'harfbuzzjs';
import { LRUCache } from 'lru-cache';
import subsetFont from 'subset-font';
import { basename } from 'node:path';
import { fontFile, read, type FontFile, type FontName } from './fonts.ts';
import { fontsFor } from './scripts.ts';

/** One font file in one weight. */
export interface Typeface {
  /** Name in the PDF: one for each file and weight. */
  name: string;
  bytes: Uint8Array;
  shaper: hb.Font;
  unitsPerEm: number;
  isRightToLeft: boolean;
}

/** Of the text of one document. */
export interface Typefaces {
  /** Undefined: the base font draws it, with its box where it has no glyph. */
  of(codePoint: number, bold: boolean): Typeface | undefined;
  /** Of size 1. */
  advanceOf(face: Typeface, text: string): number;
  /** As pdfkit takes it. */
  open(face: Typeface): PDFKit.Mixins.PDFFontSource;
}

/** Bytes of typefaces that are kept between documents. All of them are some 30 MB. */
const MOST_BYTES = 16 * 1024 * 1024;

const RIGHT_TO_LEFT = /Arabic|-(?:hebrew|thaana)-/;

const kept = new LRUCache<string, Typeface>({ maxSize: MOST_BYTES, sizeCalculation: ({ bytes }) => bytes.length });

/** Decompresses a file and fixes its weight: its glyphs are those of the file, its name says both. */
async function typeface(path: string, bold: boolean): Promise<Typeface> {
  const name = `${basename(path).replace(/(?:-wght-normal|-400-normal|-Regular|-Bold)?\.\w+$/, '')}-${bold ? 'Bold' : 'Regular'}`;
  const known = kept.get(name);
  if (known) return known;
  const isVariable = path.endsWith('-wght-normal.woff2');
  const bytes = await subsetFont(read(path), undefined, {
    keepAllGlyphs: true,
    targetFormat: 'truetype',
    ...(isVariable && { variationAxes: { wght: bold ? 700 : 400 } }),
  });
  const face = new hb.Face(new hb.Blob(bytes));
  const made = { name, bytes, shaper: new hb.Font(face), unitsPerEm: face.upem, isRightToLeft: RIGHT_TO_LEFT.test(path) };
  kept.set(name, made);
  return made;
}

/** Reads what the characters of a text need. The time is that of the files, at most some 400 of them, and of each character that differs. */
export async function typefacesFor(text: string, han: FontName): Promise<Typefaces> {
  const chosen = { regular: new Map<number, Typeface>(), bold: new Map<number, Typeface>() };
  const loaded = new Map<string, { regular: Typeface; bold: Typeface }>();
  const load = async ({ regular: path, bold: boldPath }: FontFile) => {
    const known = loaded.get(path);
    if (known) return known;
    const regular = await typeface(path, false);
    const both = { regular, bold: boldPath ? await typeface(boldPath, true) : regular };
    loaded.set(path, both);
    return both;
  };
  for (const character of new Set(text)) {
    const codePoint = character.codePointAt(0) as number;
    for (const name of fontsFor(character, han)) {
      const file = fontFile(name, codePoint);
      const found = file && (await load(file));
      if (found?.regular.shaper.nominalGlyph(codePoint) === undefined) continue;
      chosen.regular.set(codePoint, found.regular);
      chosen.bold.set(codePoint, found.bold);
      break;
    }
  }
  return { of: (codePoint, bold) => (bold ? chosen.bold : chosen.regular).get(codePoint), advanceOf, open: opened };
}

/** A glyph as pdfkit takes it; `id` names the text beside the number. */
interface Glyph {
  id: string;
  advanceWidth: number;
  codePoints: number[];
}

const buffer = new hb.Buffer();

/** Leaves the glyphs in the buffer, from left to right. */
function shape({ shaper }: Typeface, text: string, isRightToLeft: boolean): void {
  buffer.clearContents();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  buffer.setLanguage('en'); // else that of the process
  buffer.setClusterLevel(hb.ClusterLevel.MONOTONE_CHARACTERS);
  buffer.setFlags(hb.BufferFlag.REMOVE_DEFAULT_IGNORABLES);
  buffer.setDirection(isRightToLeft ? hb.Direction.RTL : hb.Direction.LTR);
  hb.shape(shaper, buffer);
}

function advanceOf(face: Typeface, text: string): number {
  shape(face, text, face.isRightToLeft);
  return buffer.getGlyphPositions().reduce((sum, { xAdvance }) => sum + xAdvance, 0) / face.unitsPerEm;
}

/** Copied as nothing: what a glyph is copied as that stands for a part of a character. */
const NOTHING = '\u200b';

/** What each glyph is copied as: the characters of its cluster in the order in which its glyphs are drawn, the last one the rest of them. */
function textsOf(clusters: readonly number[], text: string, isRightToLeft: boolean): string[] {
  const last = text.length - 1;
  if (clusters.length === text.length && clusters.every((cluster, n) => cluster === (isRightToLeft ? last - n : n)))
    return clusters.map((cluster) => text.charAt(cluster));
  const starts = [...new Set(clusters)].sort((a, b) => a - b);
  const characters = new Map(starts.map((start, n) => [start, Array.from(text.slice(start, starts[n + 1]))]));
  return clusters.map((cluster, n) => {
    const left = characters.get(cluster) as string[];
    const taken = left.splice(0, clusters[n + 1] === cluster ? 1 : left.length);
    // Readers take the characters of a ligature from left to right, like glyphs, before they turn what is read from right to left.
    return (isRightToLeft ? taken.reverse() : taken).join('') || NOTHING;
  });
}

/** Glyphs of one document that are distinguished by their text. A PDF font has at most 65,535. */
const MOST_TEXTS = 20_000;

/**
 * What pdfkit embeds of a typeface: fontkit reads and cuts the file, HarfBuzz lays out. A glyph that stands for several texts is there once for each, so that
 * what is copied from the PDF is what was written.
 */
function opened(face: Typeface): PDFKit.Mixins.PDFFontSource {
  const font = create(Buffer.from(face.bytes));
  const createSubset = font.createSubset.bind(font);
  const known = new Map<string, Glyph>();
  const glyphOf = (number: number, text: string): Glyph => {
    const id = `${number}:${text}`;
    const before = known.get(id);
    if (before) return before;
    const codePoints = Array.from(text, (character) => character.codePointAt(0) as number);
    const glyph = { id, advanceWidth: face.shaper.glyphHAdvance(number), codePoints };
    known.set(id, glyph);
    return glyph;
  };
  /** Of the latest text: pdfkit lays out each once more for its width. */
  let latest = { text: '', isRightToLeft: false, glyphs: [] as Glyph[], positions: [] as hb.GlyphPosition[] };
  /** The feature `rtla` says that a run is read from right to left; HarfBuzz applies it to such a run by itself. */
  const layout = (text: string, features: readonly string[] = []) => {
    const isRightToLeft = features.includes('rtla');
    if (latest.text !== text || latest.isRightToLeft !== isRightToLeft) {
      shape(face, text, isRightToLeft);
      const infos = buffer.getGlyphInfos();
      const texts = textsOf(infos.map(({ cluster }) => cluster), text, isRightToLeft); // prettier-ignore
      const glyphs = infos.map(({ codepoint }, n) => glyphOf(codepoint, texts[n] as string));
      latest = { text, isRightToLeft, glyphs, positions: buffer.getGlyphPositions() };
    }
    // pdfkit scales the positions in their place.
    const positions = latest.positions.map((position) => ({ ...position }));
    return {
      glyphs: latest.glyphs,
      positions,
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
      },
    };
  };
  return Object.defineProperties(font, {
    postscriptName: { value: face.name },
    layout: { value: layout },
    createSubset: { value: () => subsetByTexts(createSubset()) },
  }) as unknown as Buffer;
}

function subsetByTexts(subset: Subset): Subset {
  const include = subset.includeGlyph.bind(subset);
  const known = new Map<string, number>();
  subset.includeGlyph = (id) => {
    if (typeof id === 'number') return include(id);
    const before = known.get(id);
    if (before !== undefined) return before;
    const number = Number.parseInt(id, 10);
    const index = known.size < MOST_TEXTS ? subset.glyphs.push(number) - 1 : include(number);
    known.set(id, index);
    return index;
  };
  return subset;
}
