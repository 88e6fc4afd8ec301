import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** Debian's; CHROMIUM names another. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath, args: ['--no-sandbox'] });

const CONFORMANCE = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Of a busy machine. */
const PATIENCE_MS = 20_000;

/** A person before a page: clicks are counted, and what the page must not do is kept. */
export class Visitor {
  clicks = 0;
  /** What the page's policy has stopped, and errors that nothing caught. */
  readonly faults: string[] = [];

  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
  ) {
    page.on('console', (message) => {
      const text = message.text();
      if (/Content Security Policy|TrustedHTML|TrustedScript|Trusted Types/i.test(text)) this.faults.push(text);
    });
    page.on('pageerror', (error) => this.faults.push(String(error)));
  }

  static async in(browser: Browser): Promise<Visitor> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-GB', timezoneId: 'Europe/Madrid' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    return new Visitor(await context.newPage(), context);
  }

  /** Presses what has this role and name. */
  async press(role: 'button' | 'link' | 'checkbox' | 'menuitem' | 'switch' | 'option', name: string | RegExp): Promise<void> {
    this.clicks += 1;
    await this.page
      .getByRole(role, { name, exact: typeof name === 'string' })
      .first()
      .click();
  }

  async write(label: string | RegExp, text: string): Promise<void> {
    await this.page.locator('input, textarea').and(this.page.getByLabel(label)).first().fill(text);
  }

  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor({ timeout: PATIENCE_MS });
  }

  heading(name: string | RegExp): Promise<void> {
    return this.page.getByRole('heading', { name, exact: typeof name === 'string', level: 1 }).waitFor({ timeout: PATIENCE_MS });
  }

  /** Rules that the page as it is now breaks: by default those of WCAG 2.2 A and AA, else those named. Not through a script element, which its policy forbids. */
  async violations(rules: readonly string[] = CONFORMANCE): Promise<string[]> {
    if (!(await this.page.evaluate("'axe' in window"))) await this.page.evaluate(axe);
    return this.page.evaluate(`
      axe.run({ runOnly: ${JSON.stringify(rules)} }).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 160) + ' ' + failureSummary.slice(0, 300))))`);
  }

  /** Pixels of the page where it is wider than the window, of what a dialog holds where it is wider than that; 0 where neither is. */
  tooWide(): Promise<number> {
    return this.page.evaluate(`Math.max(0, ...[document.documentElement, ...document.querySelectorAll('[role=dialog]')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ scrollWidth }) => scrollWidth))`);
  }

  /** Names of what the page keeps in the browser. */
  kept(): Promise<string[]> {
    return this.page.evaluate('[...Object.keys(localStorage), ...Object.keys(sessionStorage)]');
  }
}
