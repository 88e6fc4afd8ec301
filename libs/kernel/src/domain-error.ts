/** Why a request was refused, in the terms of the domain. `libs/service/src/errors` alone knows which HTTP status each code has. */
export type DomainErrorCode =
  | 'invalid_request'
  | 'https_required'
  | 'invalid_api_key'
  | 'invalid_session'
  | 'invalid_credentials'
  | 'session_incomplete'
  | 'session_changed'
  | 'step_up_required'
  | 'origin_not_allowed'
  | 'insufficient_permissions'
  | 'account_suspended'
  | 'not_found'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'idempotency_key_in_use'
  | 'version_conflict'
  | 'validation_error'
  | 'invalid_state'
  | 'not_representable'
  | 'storage_quota_exceeded'
  | 'rate_limit_exceeded'
  | 'internal_error'
  | 'outcome_unknown'
  | 'service_unavailable';

/** Field path (`items.0.quantity`) to what is wrong with it and what to do. */
export type Details = Record<string, string[]>;

/** The kinds of problems that `issues` name. What each means, and its params, is data of the published document (`issueRules` of libs/contracts). */
export type IssueRule =
  | 'required'
  | 'unknown'
  | 'repeated'
  | 'type'
  | 'enum'
  | 'format'
  | 'pattern'
  | 'decimal'
  | 'precision'
  | 'min'
  | 'max'
  | 'min_length'
  | 'max_length'
  | 'min_items'
  | 'max_items'
  | 'max_pairs'
  | 'unique'
  | 'combination'
  | 'calculated'
  | 'fixed'
  | 'country_rule'
  | 'rate_limit'
  | 'invalid';

/** Values of a rule, such as `{ max: 255 }` or `{ nearest: 'unit_price' }`. They are of the interface, never of the request. */
export type IssueParams = Readonly<Record<string, string | number | readonly string[]>>;

/** What is wrong with a field, for programs. */
export interface Issue {
  field: string;
  rule: IssueRule;
  params: IssueParams;
}

/** The same with its message. */
export interface FieldProblem extends Issue {
  message: string;
}

/** A request that cannot be done as asked. Nothing was changed. The message is shown to the caller: it says what to do next. */
export class DomainError extends Error {
  readonly details: Details | undefined;
  /** One for each message of `details`, in their order. */
  readonly issues: readonly Issue[] | undefined;

  constructor(
    readonly code: DomainErrorCode,
    message: string,
    wrong?: Details | readonly FieldProblem[],
    /** Seconds after which a repeat makes sense. */
    readonly retryAfter?: number,
  ) {
    super(message);
    this.name = 'DomainError';
    const fields = wrong && byField(problemsIn(wrong));
    this.details = fields && messagesOf(fields);
    this.issues = fields && Object.values(fields).flatMap((of) => of.map(({ field, rule, params }) => ({ field, rule, params })));
  }
}

const LONGEST_NAME = 100;
const cut = (name: string): string => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);

/** Each message of a field once. Long names are cut: callers choose those of unknown fields. */
function byField(problems: readonly FieldProblem[]): Record<string, FieldProblem[]> {
  const fields = new Map<string, Map<string, FieldProblem>>();
  for (const problem of problems) {
    const field = cut(problem.field);
    const of = fields.get(field) ?? new Map<string, FieldProblem>();
    fields.set(field, of);
    if (!of.has(problem.message)) of.set(problem.message, { ...problem, field });
  }
  return Object.fromEntries([...fields].map(([field, of]) => [field, [...of.values()]]));
}

const isList = (wrong: Details | readonly FieldProblem[]): wrong is readonly FieldProblem[] => Array.isArray(wrong);

/** Messages without a rule of their own are of the rule `invalid`, those by `ofCountryRule` of `country_rule`. */
const problemsIn = (wrong: Details | readonly FieldProblem[]): readonly FieldProblem[] =>
  isList(wrong)
    ? wrong
    : Object.entries(wrong).flatMap(([field, messages]) => messages.map((message) => ({ field, message, ...ruleIn(message) })));

const messagesOf = (fields: Record<string, readonly FieldProblem[]>): Details =>
  Object.fromEntries(Object.entries(fields).map(([field, of]) => [field, of.map(({ message }) => message)]));

/** The messages of problems by field, each once. */
export const detailsOf = (problems: readonly FieldProblem[]): Details => messagesOf(byField(problems));

/** A message of what the law of a country demands, with the id of that rule. Refusals are stored as messages, so the message carries it. */
export const ofCountryRule = (message: string, id: string): string => `${message} Rule: ${id}.`;

function ruleIn(message: string): Pick<Issue, 'rule' | 'params'> {
  const [, id] = / Rule: ([a-z-]+\.[a-z_]+)\.$/.exec(message) ?? [];
  return id === undefined ? { rule: 'invalid', params: {} } : { rule: 'country_rule', params: { id } };
}

export const notFound = (what: string): DomainError =>
  new DomainError('not_found', `There is no such ${what}. Check the id, and that the key belongs to the same account and environment.`);

const NAMED = 10;
const DETAILED = 100;

/** The names of the fields for a message: the first ten. */
export function fieldsIn(problems: readonly FieldProblem[]): string {
  const fields = [...new Set(problems.map(({ field }) => field))];
  const more = fields.length > NAMED ? ` and ${fields.length - NAMED} more` : '';
  return fields.slice(0, NAMED).map(cut).join(', ') + more;
}

/** Well-formed, but wrong: messages per field. However wrong a request is, the answer stays readable: 100 fields at most, the first ten by name. */
export function invalid(wrong: Details | readonly FieldProblem[]): DomainError {
  const problems = problemsIn(wrong);
  const shown = new Set([...new Set(problems.map(({ field }) => field))].slice(0, DETAILED));
  return new DomainError(
    'validation_error',
    `The request is not valid: ${fieldsIn(problems)}. See details, fix it and send it again.`,
    problems.filter(({ field }) => shown.has(field)),
  );
}

/** Not possible in this status; names what is. */
export const invalidState = (what: string, status: string, availableActions: readonly string[], why = ''): DomainError =>
  new DomainError(
    'invalid_state',
    `${what} is not possible while the status is ${status}${why ? `: ${why}` : '.'} available_actions: ${availableActions.join(', ') || 'none'}.`,
  );
