import { RotateKey, UpdateApiKey } from '../../account/requests.ts';
import { AccountResource, ApiKeyResource } from '../../account/resource.ts';
import { CreateCustomer, UpdateCustomer } from '../../customer/requests.ts';
import { CustomerResource } from '../../customer/resource.ts';
import { PutFiscalCredentials } from '../../credentials/requests.ts';
import { FiscalCredentialsCheckResource, FiscalCredentialsResource } from '../../credentials/resource.ts';
import { DocumentFileResource, UblFileResource } from '../../document/file.ts';
import { HistoryEntry } from '../../document/history.ts';
import { AttemptEntry, ResolveDocument, SubmissionResource, SubmitDocument } from '../../document/submission.ts';
import { elementOf } from '../../http/batch.ts';
import { ErrorResource, ProblemResource } from '../../http/error.ts';
import { listedIn } from '../../http/list.ts';
import { EmptyBody } from '../../http/none.ts';
import { SubmitInvoices } from '../../invoice/requests.ts';
import { DeviceResource, RegisterDevice } from '../../issuer/device.ts';
import { UpdateIssuer } from '../../issuer/requests.ts';
import { IssuerResource } from '../../issuer/resource.ts';
import { CreateProduct, UpdateProduct } from '../../product/requests.ts';
import { ProductResource } from '../../product/resource.ts';
import { RequestsWithActors, RequestWithActor } from '../../console/resources.ts';
import { RequestResource } from '../../request/resource.ts';
import { ReportResource, ReportTypeResource } from '../../report/resource.ts';
import { StatementResource } from '../../report/statement.ts';
import type { Class } from '../../schema/class.ts';
import { EventResource, EventTypeResource } from '../../webhook/event.ts';
import { DeliveryResource, RecoveryResource, WebhookEndpointResource } from '../../webhook/resource.ts';
import { consoleExamples } from './console.ts';
import * as documents from './documents.ts';
import { ids } from './ids.ts';
import * as others from './others.ts';
import { webhookExamples, webhookKinds } from './webhooks.ts';

const asking = { type: 'api_key', id: ids.key, name: 'Shop' };

const examples = new Map<Class, object>([
  ...consoleExamples,
  ...documents.documentExamples,
  ...webhookExamples,
  [CustomerResource, documents.customer],
  [ProductResource, documents.product],
  [IssuerResource, documents.issuer],
  [HistoryEntry, documents.historyEntry],
  [AttemptEntry, documents.attempt],
  [DocumentFileResource, others.file],
  [UblFileResource, others.ublFile],
  [RequestResource, others.request],
  [RequestWithActor, { ...others.request, actor: asking }],
  [RequestsWithActors, { ...listOf(others.request), actors: [asking] }],
  [AccountResource, others.account],
  [ApiKeyResource, others.apiKey],
  [FiscalCredentialsResource, others.credentials],
  [FiscalCredentialsCheckResource, others.credentialsCheck],
  [DeviceResource, others.device],
  [RegisterDevice, {}],
  [WebhookEndpointResource, others.endpoint],
  [RecoveryResource, { object: 'recovery', matched: 42, created: 42, status: 'running' }],
  [DeliveryResource, others.delivery],
  [EventResource, others.event],
  [EventTypeResource, others.eventType],
  [ReportTypeResource, others.reportType],
  [ReportResource, others.report],
  [StatementResource, others.statement],
  [ErrorResource, others.error],
  [ProblemResource, others.problem],
  [EmptyBody, {}],
  [SubmitDocument, {}],
  [ResolveDocument, { outcome: 'registered', code: 'SBX-7F3A91C2', note: 'The portal of the authority shows it.' }],
  [SubmissionResource, { object: 'submission', document_id: ids.inv, status: 'registered' }],
  [SubmitInvoices, { ids: [ids.inv] }],
  [
    CreateCustomer,
    { name: 'Blue Heron SL', email: 'billing@heron.example', tax_id: 'B12345674', address: { city: 'Madrid', country: 'ES' } },
  ],
  [UpdateCustomer, { phone: '+34 910 000 000', address: { line2: null } }],
  [
    CreateProduct,
    { name: 'Feed', description: 'Feed, 1 kg', sku: 'FEED-1', unit: 'KGM', unit_price: '50.25', currency: 'EUR', tax_rate: 21 },
  ],
  [UpdateProduct, { unit_price: '52.00', active: false }],
  [UpdateIssuer, { legal_name: 'Acme Feeds SL', default_tax_rate: 21, units: [{ code: 'HQ', devices: ['TILL1'] }] }],
  [PutFiscalCredentials, { certificate: 'MIIJagIBAzCCCSAGCSqGSIb3DQEHAaCCCREEggkN', passphrase: 'open sesame' }],
  [RotateKey, { grace_period_seconds: 3600 }],
  [UpdateApiKey, { name: 'Shop', permissions: ['invoices:read'] }],
]);

/**
 * The example of a class, or of each field of a query by its name; for a list or a batch one with a single item; undefined for classes that no served route uses.
 */
export function exampleOf(shape: Class): object | undefined {
  const element = elementOf(shape);
  if (element) return { requests: [exampleOf(element)] };
  const listed = listedIn(shape);
  const item = listed && examples.get(listed);
  if (!item) return examples.get(shape);
  return listOf(item);
}

function listOf(item: object): object {
  const page = 'https://api.example/v1/…?page=1';
  return {
    data: [item],
    meta: { current_page: 1, per_page: 20, total: 1, last_page: 1 },
    links: { first: page, last: page, prev: null, next: null },
  };
}

const kinds = new Map([...documents.kindExamples, ...webhookKinds]);

/** The examples of a request by name: the one of its class, and one of each other kind. undefined where there is one alone. */
export function examplesOf(shape: Class): Record<string, { summary: string; value: object }> | undefined {
  const others = kinds.get(shape);
  const value = exampleOf(shape);
  return others && value && { standard: { summary: 'A standard one', value }, ...others };
}
