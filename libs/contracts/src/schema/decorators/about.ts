import 'reflect-metadata';

const about = Symbol('about');

/** The description of a field in the published document: one short sentence, Markdown. */
export const About =
  (description: string): PropertyDecorator =>
  (target, property) =>
    Reflect.defineMetadata(about, description, target, property);

export const aboutOf = (prototype: object, property: string): string | undefined =>
  Reflect.getMetadata(about, prototype, property) as string | undefined;
