import { Checkbox, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { NONE_OF_THESE, pickedLabels } from '../../../src-shared/asked-values.ts';
import { plainLine } from '../../../src-shared/plain-text.ts';
import type { FieldProps } from './answer-fields.ts';
import { AnswerHints } from './answer-hints.tsx';

/** Some of a few options. Nothing ticked is no answer; that none of them fits is one, and has a box of its own. */
export function SeveralField({ asked, value, error, onChange, label }: FieldProps & { label: string }): JSX.Element {
  const { t } = useTranslation('answer');
  const picked = pickedLabels(asked.options, value);
  const ticked =
    value === NONE_OF_THESE
      ? [NONE_OF_THESE]
      : asked.options.map((option) => option.label).filter((each) => picked.includes(each.trim()));
  function tick(wanted: string[]): void {
    const isNone = wanted.includes(NONE_OF_THESE);
    if (isNone && value !== NONE_OF_THESE) return onChange(NONE_OF_THESE);
    // In the order in which they are offered, whatever was ticked first.
    onChange(asked.options.flatMap(({ label: each }) => (wanted.includes(each) ? [each] : [])).join('\n'));
  }
  return (
    <Checkbox.Group
      label={label}
      description={<AnswerHints asked={asked} onUse={onChange} />}
      error={error}
      required={asked.isRequired}
      withAsterisk={false}
      value={ticked}
      onChange={tick}
    >
      <Stack gap="xs" className="answer-options">
        {asked.options.map(({ label: each }) => (
          <Checkbox key={each} size="sm" value={each} label={plainLine(each)} aria-invalid={error !== undefined} />
        ))}
        <Checkbox size="sm" value={NONE_OF_THESE} label={t('noneOfThese')} />
      </Stack>
    </Checkbox.Group>
  );
}
