import { extractText, getDocumentProxy } from 'unpdf';

/** The text of each page, in the order in which it is drawn, with plain spaces. */
export async function pagesOf(bytes: Uint8Array): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(Uint8Array.from(bytes)), { mergePages: false });
  return text.map((page) => page.replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' '));
}
