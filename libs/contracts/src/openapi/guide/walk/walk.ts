import { curl } from './curl.ts';
import { go } from './go.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import type { StepName } from './steps.ts';
import { typescript } from './typescript.ts';

export const languages = [
  { id: 'curl', label: 'curl', fence: 'sh' },
  { id: 'typescript', label: 'TypeScript', fence: 'ts' },
  { id: 'python', label: 'Python', fence: 'python' },
  { id: 'go', label: 'Go', fence: 'go' },
  { id: 'php', label: 'PHP', fence: 'php' },
] as const;
export type Language = (typeof languages)[number]['id'];

/** The programs, by step. @param api base URL with the version segment */
export const walk = (api: string): Record<Language, Record<StepName, string>> => ({
  curl: curl(api),
  typescript: typescript(api),
  python: python(api),
  go: go(api),
  php: php(api),
});
