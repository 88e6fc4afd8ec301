import { IsOrigin, IsText, Setting } from '@svc/service-kit';

/** What this service can be told by the environment, besides where its servers are. */
export class InvoicingConfig {
  @Setting({ description: 'public origin, the base of links', default: 'http://localhost:3000' })
  @IsOrigin()
  PUBLIC_URL: string;

  @Setting({ description: 'key ring that seals the keys of personal data: v1:<base64 of 32 bytes>[,v2:…]', secret: true })
  @IsText()
  SECRETS_KEY: string;
}
