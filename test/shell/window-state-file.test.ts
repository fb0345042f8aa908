import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openWindowStateFile } from '../../src-main/shell/window-state-file.ts';
import { windowStateFrom, type WindowState } from '../../src-main/shell/window-state-rules.ts';

let folder: string;
let reported: string[];
const path = (): string => join(folder, 'window-state.json');
const open = (file = path()) => openWindowStateFile(file, (_error, where) => void reported.push(where));
const state = (x: number): WindowState => ({ bounds: { x, y: 30, width: 1000, height: 700 }, isMaximized: false });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-window-state-'));
  reported = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

describe('the file of the window state', () => {
  it('remembers nothing at first, which is no fault', () => {
    expect(open().read()).toBeNull();
    expect(reported).toEqual([]);
  });

  it('gives back what was written, as the rule reads it', () => {
    open().write(state(40));
    expect(windowStateFrom(open().read(), [{ x: 0, y: 0, width: 1440, height: 900 }])).toEqual(state(40));
    expect(readdirSync(folder)).toEqual(['window-state.json']);
  });

  it('writes once, the last state, when the window stands still for half a second', () => {
    const file = open();
    for (let x = 0; x < 100; x += 1) {
      file.note(() => state(x));
      vi.advanceTimersByTime(10);
    }
    expect(existsSync(path())).toBe(false);
    vi.advanceTimersByTime(500);
    expect(JSON.parse(readFileSync(path(), 'utf8'))).toEqual(state(99));
  });

  it('writes at once on close, and nothing later', () => {
    const file = open();
    file.note(() => state(1));
    file.write(state(2));
    vi.advanceTimersByTime(5_000);
    expect(JSON.parse(readFileSync(path(), 'utf8'))).toEqual(state(2));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('writes nothing for a window that has gone meanwhile', () => {
    open().note(() => null);
    vi.advanceTimersByTime(5_000);
    expect(existsSync(path())).toBe(false);
  });

  it('reports a folder that cannot be written or read, and goes on', () => {
    writeFileSync(join(folder, 'file'), '');
    const file = open(join(folder, 'file', 'window-state.json'));
    file.write(state(1));
    expect(file.read()).toBeNull();
    expect(reported).toEqual(['window state', 'window state']);
  });
});
