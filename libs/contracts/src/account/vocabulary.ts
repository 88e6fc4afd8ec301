import { vocabulary } from '../schema/vocabulary.ts';

export const plans = vocabulary('Plan', ['free', 'starter', 'professional', 'enterprise']);
export type Plan = (typeof plans)[number];

export { grants, permissions, type Grant, type Permission } from '../permissions.ts';
