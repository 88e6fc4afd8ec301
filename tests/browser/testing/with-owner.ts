import { startSystem, type System } from '@svc/testkit';
import type { Browser } from 'playwright-core';
import { type Call, caller } from './fill.ts';
import { signInByLink } from './owner.ts';
import { openBrowser, type Visitor } from './visitor.ts';

const PATIENCE_MS = 20_000;

interface Opened {
  system: System;
  browser: Browser;
  owner: Visitor;
  /** Of the pages. */
  origin: string;
  /** With the test key of the first start. */
  call: Call;
}

/**
 * A system of its own for the tests of a file, with the owner of its account signed in in a browser. `begin` gets them before the first test; `settings` gives the
 * system's.
 */
export function withOwner(
  begin: (opened: Opened) => Promise<void> | void,
  settings: () => Promise<Record<string, string>> = async () => ({}),
): void {
  let system: System | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    const given = await settings();
    // Each is kept for the end, also where the other does not start.
    const starts = [startSystem(given).then((one) => (system = one)), openBrowser().then((one) => (browser = one))] as const;
    const [ownSystem, ownBrowser] = await Promise.all(starts);
    const signedIn = await signInByLink(ownBrowser, ownSystem);
    signedIn.owner.page.setDefaultTimeout(PATIENCE_MS);
    await begin({ system: ownSystem, browser: ownBrowser, ...signedIn, call: caller(ownSystem) });
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });
}
