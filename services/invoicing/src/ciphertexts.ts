import { SUBJECT_KEYS, type SubjectKey } from '@svc/event-store';
import { ciphertextsIn } from '@svc/service/reencryption/stored-ciphertexts';

/** What this service stores encrypted under SECRETS_KEY: the keys of personal data, which themselves stay. */
export const ciphertexts = [
  ciphertextsIn<SubjectKey>(SUBJECT_KEYS, ({ sealed }, each) => (sealed === null ? {} : { sealed: each(sealed) })),
];
