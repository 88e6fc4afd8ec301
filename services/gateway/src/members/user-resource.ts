import type { ConsoleUser } from '@svc/contracts/console/resources';
import { hasTotp, type User } from './user.ts';

export const userResource = (user: User): ConsoleUser => ({
  id: user._id,
  email: user.email,
  name: user.name,
  language: user.language,
  totp: hasTotp(user),
});
