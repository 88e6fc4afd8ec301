import type { Env } from '@svc/kernel';

export const CATEGORY = 'submission-';

/** `submission-<env>.<account>.<document>`: another tenant's document is a stream that does not exist. */
export const submissionStream = (env: Env, account: string, documentId: string): string => `${CATEGORY}${env}.${account}.${documentId}`;
