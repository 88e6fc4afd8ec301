export { rulesOf } from './country.ts';
export { mentionsOf, type ShownDocument } from './mentions.ts';
export { type RuledDocument, validate } from './validate.ts';
