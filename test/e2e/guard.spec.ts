import { expect, test } from './support/console.ts';

/* The guard itself: it must notice what it is there for, or every other spec proves less than it says. */
test.describe('the guard of every test', () => {
  test('notices what a page may not do', async ({ app }) => {
    await app.page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.executed = true';
      document.body.append(script);
      console.error('said on purpose');
      setTimeout(() => {
        throw new Error('thrown on purpose');
      }, 0);
      const picture = new Image();
      picture.src = 'https://picture.invalid/pixel.png';
    });
    // A document that was there before the guard tells of a breach on the console only.
    const kinds = [/script-src/, /img-src/, /console error: said on purpose/, /uncaught: .*thrown on purpose/];
    for (const kind of kinds) {
      await expect.poll(() => app.guard.seen().some((line) => kind.test(line)), { message: String(kind) }).toBe(true);
    }
    expect(await app.page.evaluate(() => 'executed' in window)).toBe(false);
    expect(app.guard.findings().length).toBeGreaterThanOrEqual(kinds.length);
    app.guard.expect(/script-src|img-src|on purpose|picture\.invalid/, 'this test breaks the rules on purpose');
  });

  test('notices an address outside, also where the policy would allow it', async ({ app }) => {
    const outside = 'http://127.0.0.1:9/outside';
    await app.page.evaluate((address) => fetch(address, { mode: 'no-cors' }).catch(() => null), outside);
    await expect.poll(() => app.guard.findings().some((line) => line.includes(outside))).toBe(true);
    app.guard.expect(/127\.0\.0\.1:9|connect-src|Failed to fetch/, 'this test asks outside on purpose');
  });
});
