import type { Element } from './element.ts';

/** Whether a text is a value of a type. */
export type Check = (text: string) => boolean;

/** What an element may hold: attributes, and children or a text. */
export interface Shape {
  attributes: ReadonlyMap<string, { check: Check; isRequired: boolean }>;
  content?: Particle;
  text?: Check;
  /** Not looked into: other code judges it. */
  isOpen?: boolean;
}

/** Children, by the model of XML Schema. A choice or sequence is matched from the left, without going back: schemas are unambiguous. */
export type Particle =
  | { kind: 'element'; namespace: string; name: string; shape: Shape; min: number; max: number }
  | { kind: 'sequence' | 'choice' | 'all'; parts: readonly Particle[] };

export interface SchemaError {
  /** `/RegisterInvoiceRequest/Invoice/@TotPrice` */
  path: string;
  /** structure: something is missing, unknown or in the wrong order; value: a text is none of its type. */
  kind: 'structure' | 'value';
  reason: string;
}

/** `Name?` is an attribute that may be absent. */
export function shape(attributes: Record<string, Check>, content?: Particle): Shape {
  const entries = Object.entries(attributes).map(
    ([name, check]) => [name.replace('?', ''), { check, isRequired: !name.endsWith('?') }] as const,
  );
  return { attributes: new Map(entries), ...(content && { content }) };
}
export const simple = (text: Check): Shape => ({ attributes: new Map(), text });
export const open: Shape = { attributes: new Map(), isOpen: true };
export const sequence = (...parts: Particle[]): Particle => ({ kind: 'sequence', parts });
export const choice = (...parts: Particle[]): Particle => ({ kind: 'choice', parts });
export const inAnyOrder = (...parts: Particle[]): Particle => ({ kind: 'all', parts });
/** Declares elements of a namespace. */
export const elementsOf =
  (namespace: string) =>
  (name: string, of: Shape, min = 1, max = 1): Particle => ({ kind: 'element', namespace, name, shape: of, min, max });

/** The first error of an element, in document order; undefined where it has the shape. */
export function schemaErrorOf(element: Element, expected: Shape, path = `/${element.name}`): SchemaError | undefined {
  if (expected.isOpen) return undefined;
  return (
    attributeErrorOf(element, expected, path) ??
    (expected.content ? childErrorOf(element, expected.content, path) : textErrorOf(element, expected, path))
  );
}

/** Attributes of XML Schema itself, such as `xsi:schemaLocation`, may stand anywhere. */
const INSTANCE = '{http://www.w3.org/2001/XMLSchema-instance}';

function attributeErrorOf({ attributes }: Element, expected: Shape, path: string): SchemaError | undefined {
  for (const [name, value] of attributes) {
    if (name.startsWith(INSTANCE)) continue;
    const known = expected.attributes.get(name);
    if (!known) return structure(`${path}/@${name}`, 'is not known');
    if (!known.check(value)) return { path: `${path}/@${name}`, kind: 'value', reason: 'has a wrong value' };
  }
  for (const [name, { isRequired }] of expected.attributes)
    if (isRequired && !attributes.has(name)) return structure(`${path}/@${name}`, 'is missing');
  return undefined;
}

function textErrorOf({ children, text }: Element, expected: Shape, path: string): SchemaError | undefined {
  const [child] = children;
  if (child) return structure(`${path}/${child.name}`, 'is not known');
  if (expected.text) return expected.text(text) ? undefined : { path, kind: 'value', reason: 'has a wrong value' };
  return text.trim() === '' ? undefined : structure(path, 'has text');
}

function childErrorOf({ children, text }: Element, content: Particle, path: string): SchemaError | undefined {
  if (text.trim() !== '') return structure(path, 'has text');
  const end = match(content, children, 0, path);
  if (typeof end !== 'number') return end;
  const rest = children[end];
  return rest && structure(`${path}/${rest.name}`, 'is not known or out of order');
}

const structure = (path: string, reason: string): SchemaError => ({ path, kind: 'structure', reason });
const isOf = (child: Element | undefined, { namespace, name }: { namespace: string; name: string }): child is Element =>
  child?.name === name && child.namespace === namespace;

/** The index after the children that the particle takes, or why it cannot. */
function match(particle: Particle, children: readonly Element[], from: number, path: string): number | SchemaError {
  switch (particle.kind) {
    case 'element':
      return matchElement(particle, children, from, path);
    case 'sequence': {
      let next = from;
      for (const part of particle.parts) {
        const end = match(part, children, next, path);
        if (typeof end !== 'number') return end;
        next = end;
      }
      return next;
    }
    case 'choice': {
      const chosen = particle.parts.find((part) => begins(part, children[from]));
      if (chosen) return match(chosen, children, from, path);
      return particle.parts.some(isOptional) ? from : structure(`${path}/${namesOf(particle)}`, 'is missing');
    }
    default:
      return matchAll(particle.parts, children, from, path);
  }
}

type ElementParticle = Extract<Particle, { kind: 'element' }>;

function matchElement(particle: ElementParticle, children: readonly Element[], from: number, path: string): number | SchemaError {
  const { name, min, max } = particle;
  let next = from;
  for (let child = children[next]; next - from < max && isOf(child, particle); child = children[next]) {
    const error = schemaErrorOf(child, particle.shape, `${path}/${name}`);
    if (error) return error;
    next += 1;
  }
  return next - from < min ? structure(`${path}/${name}`, 'is missing') : next;
}

function matchAll(parts: readonly Particle[], children: readonly Element[], from: number, path: string): number | SchemaError {
  const open = new Set(parts);
  let next = from;
  for (let child = children[next]; child; child = children[next]) {
    const part = [...open].find((one) => begins(one, child));
    if (!part) break;
    const end = match(part, children, next, path);
    if (typeof end !== 'number') return end;
    open.delete(part);
    next = end;
  }
  const missing = [...open].find((part) => !isOptional(part));
  return missing ? structure(`${path}/${namesOf(missing)}`, 'is missing') : next;
}

const begins = (particle: Particle, child: Element | undefined): boolean => {
  if (particle.kind === 'element') return isOf(child, particle);
  if (particle.kind !== 'sequence') return particle.parts.some((part) => begins(part, child));
  const first = particle.parts.findIndex((part) => begins(part, child));
  return first >= 0 && particle.parts.slice(0, first).every(isOptional);
};
const isOptional = (particle: Particle): boolean =>
  particle.kind === 'element'
    ? particle.min === 0
    : particle.kind === 'choice'
      ? particle.parts.some(isOptional)
      : particle.parts.every(isOptional);
const namesOf = (particle: Particle): string =>
  particle.kind === 'element' ? particle.name : particle.parts.map(namesOf).join(particle.kind === 'choice' ? '|' : ',');
