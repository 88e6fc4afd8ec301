export { Consumes } from './consumes.ts';
export { documentDeadLetters, type DeadLetter, type DeadLetters } from './dead-letter.ts';
export { EmbeddedBus, type EmbeddedBusOptions } from './embedded-bus.ts';
export type { EventBus } from './port.ts';
export type { ReadUntil } from './publishing/mark.ts';
export { asOf, comesAfter, needsEnds, type BatchContext, type Ends, type EventPosition } from './position.ts';
