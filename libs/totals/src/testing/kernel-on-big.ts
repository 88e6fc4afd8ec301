import { bigDecimals } from '@svc/kernel/testing/big-decimals';

/** The kernel, with big.js for its decimals. */
export * from '@svc/kernel';
export const { decimal, ZERO, ONE, round, percentOf, sum, toText, quotient, sharing } = bigDecimals;
