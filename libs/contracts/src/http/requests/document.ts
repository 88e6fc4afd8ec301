import { IsReason, IsText, OneOf, Optional, TextList, Together } from '../decorators/index.ts';
import type { Condition } from '../decorators/index.ts';

/** The body of a POST that needs none. */
export class EmptyBody {}

export class SubmitDocument {
  /** Why it is sent after its time, where the authority wants to know. */
  @Optional() @IsText(500) late_reason?: string;
}

export class VoidDocument {
  /** Required unless the document is a draft. */
  @Optional() @IsReason() reason?: string;
}

export class VoidReceipt {
  @IsReason() reason: string;
}

const registeredWithCode: Condition = {
  schema: { if: { required: ['outcome'], properties: { outcome: { const: 'registered' } } }, then: { required: ['code'] } },
  problem: ({ outcome, code }) =>
    outcome === 'registered' && code === undefined ? ['code', 'Send the fiscal code that the authority shows.'] : undefined,
};

/** The end, by hand, of a submission whose outcome the authority does not tell. */
@Together(registeredWithCode)
export class ResolveDocument {
  @OneOf(['registered', 'not_registered']) outcome: 'registered' | 'not_registered';
  @Optional() @IsText() code?: string;
  /** How it was found out. */
  @IsText(2000) note: string;
}

export class SubmitInvoices {
  @TextList(64, { min: 1, max: 100 }) ids: string[];
}
