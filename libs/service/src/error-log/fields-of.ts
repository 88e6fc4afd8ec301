/** Larger answers are not parsed for a log line. */
const LARGEST = 256 * 1024;
const MOST_FIELDS = 20;
/** A name as of a field, or a position in a list. Callers choose the names of unknown fields and of metadata, which might hold anything. */
const NAME = /^(?:[A-Za-z_]\w{0,39}|\d{1,3})$/;

/**
 * The fields that an error response names in `details`, such as `items.0.quantity`, each once, twenty at most; never a message or value. From what is not
 * a name of letters, digits and `_` on it is shown as `*`.
 */
export function fieldsOf(payload: unknown): string[] {
  const text = typeof payload === 'string' ? payload : Buffer.isBuffer(payload) ? payload.toString('utf8') : '';
  if (text.length > LARGEST || !text.includes('"details":')) return [];
  const answer = parsed(text) as { error?: { details?: object }; details?: object };
  const names = Object.keys(answer.error?.details ?? answer.details ?? {});
  return [...new Set(names.slice(0, MOST_FIELDS).map(shown))];
}

function shown(field: string): string {
  const steps = field.split('.', 10);
  const strange = steps.findIndex((step) => !NAME.test(step));
  return (strange < 0 ? steps : [...steps.slice(0, strange), '*']).join('.');
}

function parsed(text: string): object {
  try {
    return (JSON.parse(text) ?? {}) as object;
  } catch {
    return {};
  }
}
