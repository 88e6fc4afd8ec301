import { Controller, Inject } from '@nestjs/common';
import { notFound } from '@svc/kernel';
import { type RequestOf, Serves } from '@svc/service';
import { ACCOUNTS } from '../tokens.ts';
import { accountResource } from './account-resource.ts';
import type { AccountsContext } from './context.ts';

@Controller()
export class AccountController {
  constructor(@Inject(ACCOUNTS) private readonly context: AccountsContext) {}

  @Serves('GET /account')
  async account({ identity }: RequestOf<'GET /account'>) {
    const account = await this.context.store.accounts.get(identity.account);
    if (account === undefined) throw notFound('account');
    return { ...accountResource(account), livemode: identity.livemode };
  }
}
