import { hash, randomBytes } from 'node:crypto';

/** 256 random bits, base64url: the value of a cookie or of a one-time link. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** How it is stored. It is random, so a fast hash says nothing of it. */
export const tokenHash = (token: string): string => hash('sha256', token, 'base64url');

/** The address that hands a token over. In the fragment no server, log or scanner of mail sees it. */
export const linkWith = (publicUrl: string, token: string): string => `${publicUrl}/app/sign-in#token=${token}`;
