import { expect, test } from './support/console.ts';
import { expectAccessible, findBarriers } from './support/accessible.ts';
import { expectLayout, expectVisibleFocus } from './support/layout.ts';
import { findLayoutProblems } from './support/layout-in-page.ts';

/* The checks of the screens themselves: each must notice what it is there for, and leave a sound page in peace. */

const SOUND = `<!doctype html><html lang="en"><title>Sound</title><style>
  button, a { display: inline-block; min-height: 28px; min-width: 28px; }
  .cut { width: 60px; overflow: hidden; white-space: nowrap; }
  .list { height: 40px; overflow: auto; }
</style><main><h1>Sound</h1><h2>Part</h2><p class="cut" title="A text longer than its box">A text longer than its box</p>
<div class="list" tabindex="0" role="region" aria-label="List">${'<p>line</p>'.repeat(10)}</div>
<button>One</button> <a href="#x">Two</a></main></html>`;

const BAD: [problem: RegExp, body: string][] = [
  [/^the page is \d+ px wide/, '<h1>Wide</h1><div style="width: 5000px">wide</div>'],
  [
    /^text is cut off without a title/,
    '<h1>Cut</h1><p style="width: 40px; overflow: hidden; white-space: nowrap">longer than that</p>',
  ],
  [
    /^text is cut off without a title/,
    '<h1>Cut</h1><div style="height: 10px; overflow: hidden"><p>lower than that</p></div>',
  ],
  [/^smaller than 24 px/, '<h1>Small</h1><button style="width: 20px; height: 20px; padding: 0">x</button>'],
  [/^there are 0 h1/, '<p>No heading</p>'],
  [/^there are 2 h1/, '<h1>One</h1><h1>Two</h1>'],
  [/^h3 after h1/, '<h1>One</h1><h3>Three</h3>'],
];

test.describe('the checks of a screen', { tag: '@browser-only' }, () => {
  test('leave a sound page in peace', async ({ page }) => {
    await page.setContent(SOUND);
    await expectLayout(page);
    await expectAccessible(page);
    expect(await expectVisibleFocus(page)).toBe(3);
  });

  for (const [problem, body] of BAD) {
    test(`notice ${String(problem)} in ${body.slice(0, 60)}`, async ({ page }) => {
      await page.setContent(`<!doctype html><html lang="en"><title>Bad</title><main>${body}</main></html>`);
      expect(await page.evaluate(findLayoutProblems)).toEqual([expect.stringMatching(problem)]);
    });
  }

  test('notice too little contrast and a nameless button', async ({ page }) => {
    await page.setContent(
      '<!doctype html><html lang="en"><title>Bad</title><main><h1 style="color: #bbb">Pale</h1></main></html>',
    );
    expect(await findBarriers(page)).toEqual([expect.stringMatching(/^color-contrast/)]);
    await page.setContent(
      '<!doctype html><html lang="en"><title>Bad</title><main><h1>Name</h1><button></button></main></html>',
    );
    expect(await findBarriers(page)).toEqual([expect.stringMatching(/^button-name/)]);
  });

  test('notice focus that nobody can see', async ({ page }) => {
    await page.setContent(
      '<!doctype html><html lang="en"><title>Bad</title><main><button style="outline: none">Where</button></main></html>',
    );
    await expect(expectVisibleFocus(page)).rejects.toThrow('Where');
    await page.setContent('<!doctype html><html lang="en"><title>Bad</title><main><h1>Nothing</h1></main></html>');
    await expect(expectVisibleFocus(page)).rejects.toThrow('things that Tab reaches');
  });
});
