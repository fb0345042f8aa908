/** Where a window stands, in the pixels of the desktop. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How a window is opened. `x` and `y` are absent where the system shall choose the place. */
export interface WindowState {
  bounds: { x?: number; y?: number; width: number; height: number };
  isMaximized: boolean;
}

/** Below this a card does not fit; the window cannot be made smaller either. */
export const MIN_WIDTH = 900;
export const MIN_HEIGHT = 600;
const DEFAULT_WIDTH = 1280;
const DEFAULT_HEIGHT = 860;
/** Larger than any desktop there is; a number beyond it is damage. */
const MAX_SIZE = 20_000;
/** So much of the title bar must be on a display that the window can be taken hold of. */
const GRIP_WIDTH = 120;
const GRIP_HEIGHT = 40;
/** How far the next window stands from the one before, so that both can be seen. */
const STEP = 28;

/**
 * How to open a window, from what was remembered. A broken file, absurd numbers or a
 * place on a display that is no longer there come to the default.
 */
export function windowStateFrom(text: string | null, displays: readonly Rectangle[]): WindowState {
  const remembered = text === null ? null : parse(text);
  if (remembered && isReachable(remembered.bounds, displays)) return remembered;
  const [first] = displays;
  return {
    bounds: {
      width: Math.max(MIN_WIDTH, Math.min(DEFAULT_WIDTH, first?.width ?? DEFAULT_WIDTH)),
      height: Math.max(MIN_HEIGHT, Math.min(DEFAULT_HEIGHT, first?.height ?? DEFAULT_HEIGHT)),
    },
    isMaximized: false,
  };
}

/** How to open one more window beside one that is open: a step further, or where the system likes when that is off the display. */
export function nextWindowState(open: Rectangle, displays: readonly Rectangle[]): WindowState {
  const moved = { ...open, x: open.x + STEP, y: open.y + STEP };
  const { width, height } = open;
  return { bounds: isReachable(moved, displays) ? moved : { width, height }, isMaximized: false };
}

function parse(text: string): { bounds: Rectangle; isMaximized: boolean } | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // A file cut off while it was written remembers nothing; the default is as good.
    return null;
  }
  const { bounds, isMaximized } = (value ?? {}) as { bounds?: Partial<Rectangle>; isMaximized?: unknown };
  if (typeof bounds !== 'object' || bounds === null || typeof isMaximized !== 'boolean') return null;
  const { x, y, width, height } = bounds;
  if (!isWhole(x, -MAX_SIZE) || !isWhole(y, -MAX_SIZE)) return null;
  if (!isWhole(width, MIN_WIDTH) || !isWhole(height, MIN_HEIGHT)) return null;
  return { bounds: { x, y, width, height }, isMaximized };
}

const isWhole = (value: unknown, least: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= MAX_SIZE;

/** Whether the title bar can be taken hold of on one of the displays. */
function isReachable({ x, y, width }: Rectangle, displays: readonly Rectangle[]): boolean {
  return displays.some((display) => {
    const seen = Math.min(x + width, display.x + display.width) - Math.max(x, display.x);
    return seen >= GRIP_WIDTH && y >= display.y && y + GRIP_HEIGHT <= display.y + display.height;
  });
}
