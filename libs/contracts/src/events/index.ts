export * from './envelope.ts';
export * from './fiscal/registration.ts';
export * from './invoicing/customer.ts';
export * from './invoicing/invoice.ts';
export * from './invoicing/receipt.ts';
export * from './invoicing/registration.ts';
export * from './parse.ts';
export type { PublicEventClass } from './public-event.ts';
export { publicEvents } from './registry.ts';
