import { type DynamicModule, Module } from '@nestjs/common';
import { type Background, createBackground, type Health, jobsWork } from '@svc/service';
import { AccountController } from './accounts/http.ts';
import { KeyController } from './keys/http.ts';
import { ErasedCustomers } from './consuming/customer.ts';
import { type Gateway, type GatewayAdapters, openGateway } from './open-gateway.ts';
import { ACCOUNTS, GATEWAY, PUBLIC_URL } from './tokens.ts';

/** Removes expired idempotency keys and idle limits, counts what is stored, and shows other processes that this one runs; at the end stores when keys were last used. */
function backgroundOf({ retention, processes, limiter, keys, storage, clock }: Gateway, health: Health): Background {
  const expiry = jobsWork('retention', retention.passes, clock, retention.start);
  return createBackground({
    ...{ service: 'gateway', health },
    work: [expiry, storage.work, limiter.removal, processes.work].filter((work) => work !== undefined),
    close: () => keys.writeUses(),
  });
}

@Module({})
export class GatewayModule {
  /** Accounts and keys over HTTP. The composing program also calls `useEdge` with `app.get(GATEWAY)`. */
  static forRoot(adapters: GatewayAdapters): DynamicModule {
    return {
      module: GatewayModule,
      controllers: [AccountController, KeyController, ErasedCustomers],
      providers: [
        { provide: GATEWAY, useFactory: () => openGateway(adapters) },
        { provide: ACCOUNTS, useFactory: ({ accounts }: Gateway) => accounts, inject: [GATEWAY] },
        { provide: PUBLIC_URL, useValue: adapters.publicUrl },
        { provide: Symbol('Background'), useFactory: (gateway: Gateway) => backgroundOf(gateway, adapters.health), inject: [GATEWAY] },
      ],
    };
  }
}
