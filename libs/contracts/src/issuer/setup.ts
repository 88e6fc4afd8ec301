import type { IssuerFacts } from '../credentials/issuer-header.ts';
import { otherOwner } from './certificate-owner.ts';
import { About, IsAnyText, IsFlag, NestedList, OneOf } from '../schema/decorators/index.ts';
import { vocabulary } from '../schema/vocabulary.ts';

const setupSteps = vocabulary('SetupStep', ['issuer', 'numbers', 'authority', 'certificate', 'first_document']);

/** The rule of a series that is closed after a restore, and what it is refused with. */
export const CLOSED_SERIES = 'restored';
export const CLOSED_WORDS = 'takes no numbers until the operator has verified it, since the system was restored from a backup.';

class MissingSetting {
  @About('Field of the issuer.') @IsAnyText(255) field: string;
  @About('Rule that asks for it.') @IsAnyText(255) rule: string;
  @About('What is missing, and what to do.') @IsAnyText(2000) message: string;
}

class SetupStep {
  @About('What it is about.') @OneOf(setupSteps) id: (typeof setupSteps)[number];
  @About('Whether nothing is missing of it.') @IsFlag() done: boolean;
  @About('What a submission is refused for.') @NestedList(() => MissingSetting, { max: 100 }) missing: MissingSetting[];
}

/** Of an issuer whose live documents have no certificate. */
export const NO_CERTIFICATE: MissingSetting = {
  ...{ field: 'certificate', rule: 'required' },
  message: 'No valid one is there: put it by PUT /v1/fiscal-credentials.',
};

/** Of an issuer whose live documents would be signed with the certificate of another taxpayer, where its authority refuses that. */
export function ofOtherOwner(issuer: IssuerFacts, subject: string): MissingSetting[] {
  const other = otherOwner(issuer, subject);
  return other?.isRefused ? [{ field: 'certificate', rule: 'owner', message: other.message }] : [];
}

/** What is missing before documents can be submitted. */
export class Setup {
  @About('Whether all steps are done.') @IsFlag() ready: boolean;
  @About('What there is to do, in order.') @NestedList(() => SetupStep, { max: 10 }) steps: SetupStep[];
}
