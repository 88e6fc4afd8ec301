import type { DocumentKind } from '@svc/contracts/documents';
import type { Day } from '@svc/kernel';
import type { Posting } from '../../postings/posting.ts';

/** How the authority answered documents. */
export interface Answers {
  submitted: number;
  registered: number;
  rejected: number;
  unknown: number;
  late: number;
  /** How many answers took so many seconds. */
  seconds: Map<number, number>;
}

/** The same of the documents of a block, of one kind, currency, issue date and authority. */
type SubmissionSum = [
  of: [kind: DocumentKind, currency: string, issued_on: Day, authority: string],
  counts: [submitted: number, registered: number, rejected: number, unknown: number, late: number],
  seconds: [seconds: number, answers: number][],
];

const SUBMISSIONS = 'submissions.';

export const noAnswers = (): Answers => ({ submitted: 0, registered: 0, rejected: 0, unknown: 0, late: 0, seconds: new Map() });

/** An answer that is not of the outcome changes nothing. */
const isAnswer = ({ change }: Posting): boolean => change !== 'voided' && change !== 'paid' && change !== 'reversed';

/** Adds a document by its history. */
export function addHistory(sums: Answers, history: readonly Posting[]): void {
  const answers = history.filter(isAnswer);
  const outcome = answers.at(-1)?.outcome;
  sums.submitted += 1;
  if (outcome === 'registered') sums.registered += 1;
  if (outcome === 'failed') sums.rejected += 1;
  if (outcome === 'unknown') sums.unknown += 1;
  const answered = answers.findLast((posting) => posting.answered)?.answered;
  if (!answered) return;
  if (outcome === 'registered' && answered.late) sums.late += 1;
  addSeconds(sums, answered.seconds, 1);
}

const addSeconds = ({ seconds }: Answers, value: number, answers: number): unknown =>
  seconds.set(value, (seconds.get(value) ?? 0) + answers);

/** Of histories of whole blocks; the name of the sum has the last day of an answer. */
export function submissionSums(histories: readonly (readonly [Posting, ...Posting[]])[]): Record<string, SubmissionSum[]> {
  const groups = Map.groupBy(histories, ([{ kind, currency, issued_on, authority }]) =>
    JSON.stringify([kind, currency, issued_on, authority]),
  );
  if (groups.size === 0) return {};
  const last = histories.flatMap((history) => history.filter(isAnswer).map(({ day }) => day)).reduce((a, b) => (a > b ? a : b), '');
  const rows = [...groups.values()].map((group): SubmissionSum => {
    const sums = noAnswers();
    for (const history of group) addHistory(sums, history);
    const { kind, currency, issued_on, authority } = (group[0] as readonly [Posting])[0];
    const { submitted, registered, rejected, unknown, late, seconds } = sums;
    return [[kind, currency, issued_on, authority], [submitted, registered, rejected, unknown, late], [...seconds]];
  });
  return { [`${SUBMISSIONS}${last}`]: rows };
}

/** The sum of a block as of a day; undefined where there are later answers. */
export function submissionsOn(day: Day, { sums }: { sums: string[] }): string[] | undefined {
  const name = sums.find((one) => one.startsWith(SUBMISSIONS));
  if (name === undefined) return [];
  return name.slice(SUBMISSIONS.length) <= day ? [name] : undefined;
}

/** The sums of a text, as they are of documents. */
export function* submissionsIn(
  text: string,
): Generator<Pick<Posting, 'kind' | 'currency' | 'issued_on' | 'authority'> & { add(to: Answers): void }> {
  for (const [[kind, currency, issued_on, authority], counts, seconds] of JSON.parse(text) as SubmissionSum[]) {
    const [submitted, registered, rejected, unknown, late] = counts;
    const add = (to: Answers): void => {
      to.submitted += submitted;
      to.registered += registered;
      to.rejected += rejected;
      to.unknown += unknown;
      to.late += late;
      for (const [value, answers] of seconds) addSeconds(to, value, answers);
    };
    yield { kind, currency, issued_on, authority, add };
  }
}
