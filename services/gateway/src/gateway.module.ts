import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { DueWork } from '@svc/document-store';
import { AccountController } from './accounts/http.ts';
import { ErasedCustomers } from './consuming/customer.ts';
import { startExpiry } from './idempotency/expiry.ts';
import { type Gateway, type GatewayAdapters, openGateway } from './open-gateway.ts';
import { ACCOUNTS, GATEWAY, PUBLIC_URL } from './tokens.ts';

/** What the gateway does by itself: removes old idempotency keys and idle limits, writes down when keys were used. */
@Injectable()
class Background implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private expiry: DueWork | undefined;

  constructor(@Inject(GATEWAY) private readonly gateway: Gateway) {}

  onApplicationBootstrap(): void {
    const { idempotencyRows: rows, clock, logger } = this.gateway;
    this.expiry = startExpiry({ rows, clock, logger });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.expiry?.stop(), this.gateway.limiter.stop?.()]);
    await this.gateway.lastUsed.flush();
  }
}

@Module({})
export class GatewayModule {
  /** Accounts and keys over HTTP. Who composes the process also puts `useEdge` before it, with `app.get(GATEWAY)`. */
  static forRoot(adapters: GatewayAdapters): DynamicModule {
    return {
      module: GatewayModule,
      controllers: [AccountController, ErasedCustomers],
      providers: [
        { provide: GATEWAY, useFactory: () => openGateway(adapters) },
        { provide: ACCOUNTS, useFactory: ({ accounts }: Gateway) => accounts, inject: [GATEWAY] },
        { provide: PUBLIC_URL, useValue: adapters.publicUrl },
        Background,
      ],
    };
  }
}
