export { Consumes, type Subscription } from './consumes.ts';
export { deadLetterId, documentDeadLetters, type DeadLetter, type DeadLetters } from './dead-letter.ts';
export { LetterBook } from './dead-letters/letter-book.ts';
export type { BusOptions } from './delivery.ts';
export { EmbeddedBus, type EmbeddedBusOptions } from './embedded-bus.ts';
export type { BusLogger } from './logger.ts';
export type { EventBus } from './port.ts';
export { asOf, comesAfter, needsEnds, type BatchContext, type Ends, type EventPosition } from './position.ts';
