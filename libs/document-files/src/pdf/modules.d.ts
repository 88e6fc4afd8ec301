declare module 'bidi-js' {
  interface Levels {
    levels: Uint8Array;
    paragraphs: { start: number; end: number; level: number }[];
  }
  export default function bidi(): {
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl' | 'auto'): Levels;
    getMirroredCharacter(character: string): string | null;
  };
}

declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { position: number; required: boolean } | null;
  }
}

declare module 'subset-font' {
  export default function subsetFont(
    font: Uint8Array,
    text: string | undefined,
    options: { keepAllGlyphs?: boolean; targetFormat?: 'truetype'; variationAxes?: Record<string, number> },
  ): Promise<Buffer>;
}

declare module 'fontkit' {
  export interface Subset {
    glyphs: number[];
    includeGlyph(glyph: number | string): number;
  }
  interface Font {
    createSubset(): Subset;
  }
  export function create(bytes: Buffer): Font;
}
