import { About, IsReason, IsText, OneOf, Optional, TextList, Together } from '../decorators/index.ts';
import type { Condition } from '../decorators/index.ts';

/** The body of a POST that needs none. */
export class EmptyBody {}

export class SubmitDocument {
  @About('Why it is sent after its time, where the authority wants to know.') @Optional() @IsText(500) late_reason?: string;
}

export class VoidDocument {
  @About('Why it is voided. Required unless the invoice is a draft.') @Optional() @IsReason() reason?: string;
}

export class VoidReceipt {
  @About('Why it is voided.') @IsReason() reason: string;
}

const registeredWithCode: Condition = {
  schema: { if: { required: ['outcome'], properties: { outcome: { const: 'registered' } } }, then: { required: ['code'] } },
  problem: ({ outcome, code }) =>
    outcome === 'registered' && code === undefined ? ['code', 'Send the fiscal code that the authority shows.'] : undefined,
};

/** The end, by hand, of a submission whose outcome the authority does not tell. */
@Together(registeredWithCode)
export class ResolveDocument {
  @About('What became of the submission.') @OneOf(['registered', 'not_registered']) outcome: 'registered' | 'not_registered';
  @About('Fiscal code that the authority shows. Required when it is registered.') @Optional() @IsText() code?: string;
  @About('How it was found out.') @IsText(2000) note: string;
}

export class SubmitInvoices {
  @About('Invoices to submit.') @TextList(64, { min: 1, max: 100 }) ids: string[];
}
