/*
 * Loaded before everything else into host, workers and tool children of the crash
 * lab: their wall clock is the machine's plus what a file says, in milliseconds. The
 * machine's own clock, and the monotonic one, stay as they are.
 */
import { readFileSync } from 'node:fs';

const file = process.env.COUNTERSIGN_LAB_CLOCK ?? '';
const machineNow = Date.now;
/** A file is not read for every event of a burst. */
const LOOK_AGAIN_MS = 5;
let lookedAtMs = Number.NEGATIVE_INFINITY;
let offsetMs = 0;

Date.now = () => {
  if (performance.now() - lookedAtMs > LOOK_AGAIN_MS) {
    lookedAtMs = performance.now();
    offsetMs = Number(readFileSync(file, 'utf8'));
  }
  return machineNow() + offsetMs;
};
