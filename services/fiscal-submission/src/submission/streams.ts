import { streamOf, type Env } from '@svc/kernel';

export const CATEGORY = 'submission';

/** `submission-<env>.<account>.<document>`. With another tenant's document id the stream does not exist. */
export const submissionStream = (env: Env, account: string, documentId: string): string => streamOf(CATEGORY, env, account, documentId);
