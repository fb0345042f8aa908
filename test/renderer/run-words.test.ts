import { describe, expect, it } from 'vitest';
import { runWordsTexts } from '../../src-renderer/texts/run-words-texts.ts';
import { ATTRIBUTIONS } from '../../src-shared/vocabulary.ts';

describe('the words for how a run was approved', () => {
  it.each(['en', 'de'] as const)('H-195 are there for every way, and all different (%s)', (language) => {
    const { attribution } = runWordsTexts[language];
    expect(Object.keys(attribution).toSorted()).toEqual([...ATTRIBUTIONS].toSorted());
    expect(new Set(Object.values(attribution)).size).toBe(ATTRIBUTIONS.length);
    for (const words of Object.values(attribution)) expect(words).toMatch(/\S/);
  });
});
