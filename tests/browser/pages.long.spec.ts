import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startSystem, type System } from '@svc/testkit';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Debian's; CHROMIUM names another. Without it, these tests are skipped. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** Where a picture of each page is kept; nowhere without it. */
const pictures = process.env['PICTURES'];
/** WCAG 2.2, 1.4.3 (AA). */
const LEAST_CONTRAST = 4.5;

const paths = { docs: '/docs', invoices: '/docs/invoices', error: '/docs/errors/validation_error' };
const views = [
  { view: 'desktop', width: 1280, scheme: 'light', media: 'screen' },
  { view: 'desktop-dark', width: 1280, scheme: 'dark', media: 'screen' },
  { view: 'phone', width: 390, scheme: 'light', media: 'screen' },
  { view: 'phone-dark', width: 390, scheme: 'dark', media: 'screen' },
  { view: 'narrowest', width: 360, scheme: 'light', media: 'screen' },
  { view: 'paper', width: 794, scheme: 'dark', media: 'print' },
] as const;
const pages = Object.entries(paths).flatMap(([name, path]) => views.map((view) => ({ ...view, name, path })));

let system: System;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  if (!existsSync(executablePath)) return;
  if (pictures) mkdirSync(pictures, { recursive: true });
  system = await startSystem();
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  page = await browser.newPage();
});
afterAll(async () => {
  await browser?.close();
  await system?.stop();
});

/** Run in the page: `wide`: what is wider than it and does not scroll by itself; `faint`: texts with too little contrast; `page`: brightness of the background, 0 to 1. */
const LOOK = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const brightness = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = rgb(getComputedStyle(one).backgroundColor);
      if (color[3] === 255) return color;
    }
    return [255, 255, 255];
  };
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest('.unseen,.skip');
  const faint = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (texts.currentNode.data.trim() === '' || element.closest('script,style') || !isShown(element)) continue;
    const [a, b] = [brightness(rgb(getComputedStyle(element).color)), brightness(behind(element))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < ${LEAST_CONTRAST}) faint.add(texts.currentNode.data.trim().slice(0, 60));
  }
  return {
    wide: document.documentElement.scrollWidth > innerWidth ? document.documentElement.scrollWidth : 0,
    faint: [...faint],
    page: brightness(behind(document.body)),
    text: document.body.innerText.length,
  };
})()`;

// Skipped without a browser, which a user's machine need not have for tests. CI installs Debian's.
(existsSync(executablePath) ? test : test.skip).each(pages)(
  'on $view $path is as wide as the window, and can be read',
  async ({ view, width, scheme, media, name, path }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ media, colorScheme: scheme });
    await page.goto(`${system.url}${path}`);
    if (pictures) await page.screenshot({ path: join(pictures, `${name}-${view}.png`) });
    const seen = (await page.evaluate(LOOK)) as { wide: number; faint: string[]; page: number; text: number };
    expect(seen).toMatchObject({ wide: 0, faint: [] });
    expect(seen.text).toBeGreaterThan(200);
    // On paper a page is white, whatever the system's colours.
    expect(seen.page > 0.5).toBe(scheme === 'light' || media === 'print');
  },
);
