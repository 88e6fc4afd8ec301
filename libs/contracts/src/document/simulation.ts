import { type FieldProblem, invalid } from '@svc/kernel';
import { nearestName } from '../schema/nearest-name.ts';

/** The values of `metadata.simulate` of a test document without a parameter. What each does is in the guide. */
export const simulations = [
  'accept',
  'accept_with_warnings',
  'reject',
  'reject_once',
  'lost_request',
  'lost_reply',
  'error_after_accept',
  'duplicate',
  'duplicate_foreign',
  'bad_signature',
  'truncated',
  'wrong_request_id',
  'refuse_void',
] as const;

/** Calls that `unavailable:<n>` can refuse, and milliseconds of `slow:<ms>`. */
const MOST_CALLS = 10_000;
const MOST_MS = 600_000;
const LONGEST_CODE = 40;

/** Those with a parameter, with its form. */
const withParameter: Readonly<Record<string, (parameter: string) => boolean>> = {
  reject: (code) => code.length <= LONGEST_CODE && /^[\w.-]+$/.test(code),
  unavailable: (n) => isWhole(n, MOST_CALLS),
  slow: (ms) => isWhole(ms, MOST_MS),
};
const isWhole = (text: string, most: number): boolean => /^[1-9]\d{0,5}$/.test(text) && Number(text) <= most;

const FORMS = [...simulations, 'reject:<code>', 'unavailable:<n>', 'slow:<ms>'];
const BOUNDS = `<code> has 1 to ${LONGEST_CODE} letters, digits and . _ -, <n> is 1 to ${MOST_CALLS}, <ms> 1 to ${MOST_MS}`;

type Metadata = Readonly<Record<string, string | null>> | null | undefined;

/** Throws validation_error for a `metadata.simulate` that the sandbox does not know. In live documents it is plain metadata. */
export function checkSimulation({ livemode }: { livemode: boolean }, metadata: Metadata): void {
  const problem = livemode ? undefined : simulationProblem(metadata);
  if (problem) throw invalid([problem]);
}

/** What is wrong with `metadata.simulate` of a test document; undefined where nothing is, or where it has none. */
export function simulationProblem(metadata: Metadata): FieldProblem | undefined {
  const value = metadata && Object.hasOwn(metadata, 'simulate') ? metadata['simulate'] : undefined;
  if (value === undefined || value === null || isSimulation(value)) return undefined;
  const nearest = nearestName(value, simulations);
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return {
    field: 'metadata.simulate',
    rule: 'enum',
    params: { values: FORMS, ...(nearest !== undefined && { nearest }) },
    message: `is none of the simulations of the sandbox: ${FORMS.join(', ')} (${BOUNDS}).${hint}`,
  };
}

function isSimulation(value: string): boolean {
  if ((simulations as readonly string[]).includes(value)) return true;
  const colon = value.indexOf(':');
  const name = value.slice(0, Math.max(0, colon));
  return Object.hasOwn(withParameter, name) && withParameter[name]?.(value.slice(colon + 1)) === true;
}
