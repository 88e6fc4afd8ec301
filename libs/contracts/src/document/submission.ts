import {
  About,
  type Condition,
  IsAnyText,
  IsLines,
  IsText,
  IsTimestamp,
  IsWhole,
  Nested,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  Together,
} from '../schema/decorators/index.ts';
import { vocabulary } from '../schema/vocabulary.ts';

export const attemptKinds = vocabulary('AttemptKind', ['submit', 'query', 'cancel', 'deposit']);
export const attemptOutcomes = vocabulary('AttemptOutcome', ['registered', 'rejected', 'deferred', 'unknown']);

export const LATE_REASON =
  'Why it is sent after its time: `no_internet` where the issuer had none. All else follows from the attempts. Paper books cannot be stated: what is written by hand is no document of this service, and has no attempts. In the sandbox any text is taken.';

const ANNULMENT = 'In Spain a void annuls the record (RegistroAnulacion) and is meant for what never reached its customer';
export const VOID_REASON = {
  invoice: `Why it is voided. Required unless the invoice is a draft. ${ANNULMENT}: everything else is a credit note or a corrective (rectificativa). What is paid or credited is not voided.`,
  receipt: `Why it is voided. ${ANNULMENT}.`,
};

export class SubmitDocument {
  @About(LATE_REASON) @Optional() @IsText(500) late_reason?: string;
}

export const codeOfRegistered: Condition = {
  rule: '`code` is required with the outcome `registered`; with `not_registered` it has no effect.',
  problem: ({ outcome, code }) =>
    outcome === 'registered' && code === undefined ? ['code', 'Send the fiscal code that the authority shows.'] : undefined,
};

/** Resolves by hand a submission whose outcome the authority does not report. */
@Together(codeOfRegistered)
export class ResolveDocument {
  @About('What became of the submission.') @OneOf(['registered', 'not_registered']) outcome: 'registered' | 'not_registered';
  @About('Fiscal code that the authority shows, in its form: of al-cis and me-efi a UUID. Required when it is registered.')
  @Optional()
  @IsText()
  code?: string;
  @About('How it was found out.') @IsLines() note: string;
}

export class AttemptError {
  @About('Code of the error.') @IsAnyText(255) code: string;
  @About('What went wrong.') @IsAnyText(2000) message: string;
}

export class AttemptWarning {
  @About('What kind of text it is about.') @IsAnyText(255) code: string;
  @About('What the authority does not take, and what is sent instead.') @IsAnyText(2000) message: string;
}

/** One exchange with the tax authority. */
export class AttemptEntry {
  @About('Counts from 1.') @IsWhole({ min: 1, max: 1_000_000 }) n: number;
  @About('When the exchange began, UTC.') @IsTimestamp() at: string;
  @About('How long it took, in milliseconds; null while it goes on.') @Nullable() @IsWhole({ min: 0, max: 86_400_000 }) duration_ms:
    number | null;
  @About('What was asked of the authority.') @OneOf(attemptKinds) kind: (typeof attemptKinds)[number];
  @About('What came of it; null while it goes on.') @Nullable() @OneOf(attemptOutcomes) outcome: (typeof attemptOutcomes)[number] | null;
  @About('Identifier of the message to the authority.') @Nullable() @IsAnyText(255) message_id: string | null;
  @About('SHA-256 of what was sent, hex.') @Nullable() @IsAnyText(64) request_sha256: string | null;
  @About('HTTP status of the authority’s answer; null without an answer.') @Nullable() @IsWhole({ min: 100, max: 599 }) http_status:
    number | null;
  @About('What went wrong; null when nothing did.') @Nullable() @Nested(() => AttemptError) error: AttemptError | null;
  @About('What is sent otherwise than the document has it, because the authority does not take it so; absent where nothing is.')
  @Optional()
  @NestedList(() => AttemptWarning, { max: 20 })
  warnings?: AttemptWarning[];
}

/** The response to a resolution by hand. The document changes soon after. */
export class SubmissionResource {
  @About('Kind of resource.') @OneOf(['submission']) object: 'submission';
  @About('Identifier of the document.') @IsAnyText(64) document_id: string;
  @About('What became of the submission.')
  @OneOf(['registered', 'not_registered', 'rejected', 'pending', 'unknown', 'needs_review'])
  status: string;
}
