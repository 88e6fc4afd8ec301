import { ciphertextsIn } from '@svc/service/reencryption/stored-ciphertexts';
import { FORMS, type Form } from './forms/forms.ts';
import { IDEMPOTENCY_KEYS, type IdempotencyRow, type KeptAnswer } from './idempotency/row.ts';
import { PEPPERS, type PepperRow } from './keys/peppers.ts';
import { USERS } from './sessions/second-factor.ts';
import type { User } from './members/user.ts';

type Each = (ciphertext: string) => string;

const sealedBody = (answer: KeptAnswer, each: Each): KeptAnswer =>
  answer.sealed && answer.body !== undefined ? { ...answer, body: each(answer.body) } : answer;

/** What this service stores encrypted under SECRETS_KEY. */
export const ciphertexts = [
  ciphertextsIn<PepperRow>(PEPPERS, ({ sealed }, each) => ({ sealed: each(sealed) })),
  ciphertextsIn<User>(USERS, ({ totp }, each) => (totp ? { totp: { ...totp, secret: each(totp.secret) } } : {})),
  ciphertextsIn<Form>(FORMS, ({ content }, each) => ({ content: each(content) })),
  ciphertextsIn<IdempotencyRow>(IDEMPOTENCY_KEYS, ({ answer, compressed, answer_text: text }, each) => ({
    ...(answer && { answer: sealedBody(answer, each) }),
    ...(compressed?.sealed && text !== undefined && { answer_text: each(text) }),
  })),
];
