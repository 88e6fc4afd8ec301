import type { Route } from '../http/route.ts';

/** The name of the method in generated clients: `listInvoices`, `createInvoice`, `submitInvoice`, `listWebhookDeliveries`. */
export function operationId({ method, path, ok, response }: Route): string {
  const segments = path.split('/').slice(1);
  const words = segments.filter((segment) => !segment.startsWith('{'));
  if (method !== 'POST') return named(verbs[method](response.name.endsWith('List')), words, response.name.endsWith('List'));
  if (ok === 201) return named('create', words, false);
  const batch = words.indexOf('batch');
  if (batch > 0) return named(`batch${capital(words[batch + 1] ?? 'create')}`, words.slice(0, batch), true);
  const [verb = '', ...object] = (words.at(-1) ?? '').split('-');
  return named(verb, words.slice(0, -1), false) + object.map(capital).join('');
}

const verbs = {
  GET: (list: boolean) => (list ? 'list' : 'get'),
  PUT: () => 'put',
  PATCH: () => 'update',
  DELETE: () => 'delete',
};

/** The verb and the nouns in the singular; the last noun in the plural if `plural`. */
function named(verb: string, nouns: string[], plural: boolean): string {
  const last = nouns.length - 1;
  return verb + nouns.map((noun, n) => capital(camel(plural && n === last ? noun : singular(noun)))).join('');
}

const singular = (noun: string): string => (noun === 'fiscal-credentials' ? noun : noun.replace(/ies$/, 'y').replace(/s$/, ''));
const camel = (text: string): string => text.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
