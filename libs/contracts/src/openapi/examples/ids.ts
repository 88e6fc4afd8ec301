import { type Prefix, prefixes } from '@svc/kernel';

const id = (prefix: string): string => `${prefix}_01k9zq3r7te8v9x0a1b2c3d4e5`;

export const ids = Object.fromEntries(prefixes.map((prefix) => [prefix, id(prefix)])) as Record<Prefix, string>;

export const times = { created: '2026-03-01T09:59:00.000Z', updated: '2026-03-01T10:00:02.500Z', later: '2026-03-02T10:00:02.500Z' };
