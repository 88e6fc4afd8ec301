import { go } from './go.ts';
import { java } from './java.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import type { Snippet } from './snippet.ts';
import { typescript } from './typescript.ts';

/** Code that verifies a delivery, by language. A spec runs each on the vectors. */
export const snippets = { typescript, python, go, php, java } as const satisfies Record<string, Snippet>;
export type SnippetLanguage = keyof typeof snippets;

/** The whole file. */
export const fileOf = (language: SnippetLanguage): string => {
  const { before, service, standard, after } = snippets[language];
  return before + service + standard + after;
};
