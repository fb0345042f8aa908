import { describe, expect, it } from 'vitest';
import { nextWindowState, windowStateFrom } from '../../src-main/shell/window-state-rules.ts';

const laptop = { x: 0, y: 25, width: 1440, height: 875 };
const second = { x: 1440, y: 0, width: 1920, height: 1080 };
const small = { x: 0, y: 0, width: 1024, height: 600 };
const usual = { bounds: { width: 1280, height: 860 }, isMaximized: false };

const stored = (bounds: unknown, isMaximized: unknown = false): string => JSON.stringify({ bounds, isMaximized });
const at = (x: number, y: number, width = 1000, height = 700) => ({ x, y, width, height });

describe('a remembered window', () => {
  it.each([
    ['on the only display', at(100, 80), [laptop]],
    ['on the second display', at(1500, 80), [laptop, second]],
    ['as small as it may be', at(0, 25, 900, 600), [laptop]],
    ['half off the display, its title bar within reach', at(-800, 25), [laptop]],
    ['left of the first display, on another one', at(-1900, 0), [laptop, { ...second, x: -1920 }]],
  ])('is opened where it stood: %s', (_where, bounds, displays) => {
    expect(windowStateFrom(stored(bounds, true), displays)).toEqual({ bounds, isMaximized: true });
  });

  it.each([
    ['nothing remembered', null],
    ['an empty file', ''],
    ['a file cut off', '{"bounds":{"x":1'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a number', '7'],
    ['no bounds', '{"isMaximized":true}'],
    ['bounds that are null', stored(null)],
    ['no word on maximized', '{"bounds":{"x":0,"y":25,"width":1000,"height":700}}'],
    ['maximized as a number', stored(at(0, 25), 1)],
    ['a width as text', stored({ ...at(0, 25), width: '1000' })],
    ['half a pixel', stored(at(0.5, 25))],
    ['a width that is too small', stored(at(0, 25, 899))],
    ['a height that is too small', stored(at(0, 25, 1000, 599))],
    ['a negative height', stored(at(0, 25, 1000, -700))],
    ['an absurd width', stored(at(0, 25, 20_001))],
    ['an absurd place', stored(at(1e300, 25))],
    ['no place', stored({ width: 1000, height: 700 })],
    ['a display that is gone', stored(at(1500, 80))],
    ['a title bar above the display', stored(at(100, -200))],
    ['a title bar below the display', stored(at(100, 870))],
    ['only a sliver to the right', stored(at(1400, 80))],
    ['only a sliver to the left', stored(at(-950, 80))],
  ])('comes to the usual size for %s', (_what, text) => {
    expect(windowStateFrom(text, [laptop])).toEqual(usual);
  });

  it('is no larger than a small display, and never below the least size', () => {
    expect(windowStateFrom(null, [small]).bounds).toEqual({ width: 1024, height: 600 });
    expect(windowStateFrom(null, [{ ...small, width: 640, height: 480 }]).bounds).toEqual({ width: 900, height: 600 });
  });

  it('comes to the usual size where no display is known', () => {
    expect(windowStateFrom(stored(at(0, 25)), [])).toEqual(usual);
  });
});

describe('one more window', () => {
  it('stands a step further than the one that is open, and is not maximized', () => {
    expect(nextWindowState(at(100, 80), [laptop])).toEqual({ bounds: at(128, 108), isMaximized: false });
  });

  it('is placed by the system when a step further would be off the display', () => {
    expect(nextWindowState(at(1320, 80), [laptop])).toEqual({
      bounds: { width: 1000, height: 700 },
      isMaximized: false,
    });
  });
});
