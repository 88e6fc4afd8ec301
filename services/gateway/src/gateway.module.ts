import { type DynamicModule, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { type Background, clockSetBack, createBackground, type Health, jobsWork } from '@svc/service';
import { AccountController } from './accounts/http.ts';
import { KeyController } from './keys/http.ts';
import { ErasedCustomers } from './consuming/customer.ts';
import { settingsWork } from './audit/publish-settings.ts';
import { SettingChanges } from './audit/keep-changes.ts';
import { ExportFilesController } from './exports/http.ts';
import { exportsWork } from './exports/exports.ts';
import { expiryWork } from './expiry.ts';
import { Notices } from './mails/keep-notices.ts';
import { mailsWork } from './mails/send-mails.ts';
import { RequestsController } from './requests/http.ts';
import { type Gateway, type GatewayAdapters, openGateway } from './open-gateway.ts';
import { type AskInside, createAskInside } from './principals/inside/ask-inside.ts';
import { submissionsWork } from './submissions/work.ts';
import { ACCOUNTS, GATEWAY, PUBLIC_URL } from './tokens.ts';

/**
 * Removes what has expired, publishes changes of settings, counts what is stored and asked, and shows other processes that this one runs; at the end stores when
 * keys were last used. What expires is kept for as much longer as the clock was ahead that had set its end.
 */
function backgroundOf(gateway: Gateway, health: Health, ask: AskInside): Background {
  const { retention, processes, limiter, keys, storage, counts, recorder, documents, clock, logger } = gateway;
  const idempotency = jobsWork('retention', retention.passes, clock, retention.start);
  const waiting = [idempotency, ...settingsWork(gateway), mailsOf(gateway), ...jobsOfMembers(gateway, ask)].filter(
    (work) => work !== undefined,
  );
  return createBackground({
    ...{ service: 'gateway', health },
    work: [
      ...waiting,
      clockSetBack({ documents, work: waiting, clock, logger }),
      ...expiryWork(gateway),
      storage.work,
      counts.work,
      recorder.work,
      processes.work,
      ...(limiter.removal ? [limiter.removal] : []),
    ],
    close: () => keys.writeUses(),
  });
}

function mailsOf({ smtp, mails: rows, accounts, consoleOrigin: publicUrl, clock, logger }: Gateway) {
  return smtp && mailsWork({ ...accounts, rows, publicUrl, smtp, clock, logger });
}

/** Exports and submissions of many invoices. */
function jobsOfMembers({ accounts, exports, submissions, wakers, storage, limiter, bus, clock, logger, holder }: Gateway, ask: AskInside) {
  const shared = { people: accounts.people, store: accounts.store, ask, bus, clock, logger, holder };
  return [
    exportsWork({ ...shared, rows: exports, waker: wakers.exports, storage }),
    submissionsWork({ ...shared, rows: submissions, waker: wakers.submissions, limiter }),
  ];
}

@Module({})
export class GatewayModule {
  /** Accounts and keys over HTTP. The composing program also calls `useEdge` with `app.get(GATEWAY)`. */
  static forRoot(adapters: GatewayAdapters): DynamicModule {
    return {
      module: GatewayModule,
      controllers: [
        AccountController,
        KeyController,
        RequestsController,
        ExportFilesController,
        ErasedCustomers,
        SettingChanges,
        ...(adapters.smtp ? [Notices] : []),
      ],
      providers: [
        { provide: GATEWAY, useFactory: () => openGateway(adapters) },
        { provide: ACCOUNTS, useFactory: ({ accounts }: Gateway) => accounts, inject: [GATEWAY] },
        { provide: PUBLIC_URL, useValue: adapters.publicUrl },
        {
          provide: Symbol('Background'),
          useFactory: (gateway: Gateway, { httpAdapter }: HttpAdapterHost<FastifyAdapter>) =>
            backgroundOf(gateway, adapters.health, createAskInside(httpAdapter.getInstance(), gateway.insiders)),
          inject: [GATEWAY, HttpAdapterHost],
        },
      ],
    };
  }
}
