export { answered, createConsole, type Console } from './console/client.ts';
export { ApiError } from './console/api-error.ts';
export type { components } from './console/generated.ts';
