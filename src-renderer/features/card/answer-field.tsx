import { NativeSelect, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { plainLine } from '../../../src-shared/plain-text.ts';
import type { FieldProps } from './answer-fields.ts';
import { AnswerHints } from './answer-hints.tsx';
import { SeveralField } from './several-field.tsx';

/** More options than this are picked from a list. */
const MAX_RADIOS = 4;

/** One value to enter. Nothing is filled in or picked beforehand: an answer is what a person gave. */
export function AnswerField({ asked, value, error, onChange }: FieldProps): JSX.Element {
  const { t } = useTranslation('answer');
  const label = `${plainLine(asked.label)}${asked.isRequired ? '' : ` (${t('optional')})`}`;
  const description = <AnswerHints asked={asked} onUse={onChange} />;
  const shared = { label, description, error, required: asked.isRequired, withAsterisk: false, value };
  switch (asked.kind) {
    case 'text':
    case 'json':
      return (
        <Textarea
          {...shared}
          autosize
          minRows={1}
          maxRows={12}
          spellCheck={asked.kind === 'text'}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    case 'whole_number':
    case 'number':
      return (
        <TextInput
          {...shared}
          inputMode={asked.kind === 'number' ? 'decimal' : 'numeric'}
          autoComplete="off"
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    case 'yes_no':
      return (
        <RadioField
          {...{ asked, value, error, onChange, label }}
          options={[
            ['yes', t('yes')],
            ['no', t('no')],
          ]}
        />
      );
    case 'several':
      return <SeveralField {...{ asked, value, error, onChange, label }} />;
    case 'choice': {
      const options = asked.options.map(({ label: each }): [string, string] => [each, plainLine(each)]);
      if (options.length <= MAX_RADIOS) return <RadioField {...{ asked, value, error, onChange, label, options }} />;
      return (
        <NativeSelect
          {...shared}
          data={[{ value: '', label: t('none') }, ...options.map(([each, words]) => ({ value: each, label: words }))]}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    }
  }
}

/** A choice can be taken back where it may be left out. */
function RadioField({
  asked,
  value,
  error,
  onChange,
  label,
  options,
}: FieldProps & { label: string; options: [value: string, words: string][] }): JSX.Element {
  const { t } = useTranslation('answer');
  const all = asked.isRequired ? options : [...options, ['', t('none')] as const];
  return (
    <Radio.Group
      label={label}
      description={<AnswerHints asked={asked} onUse={onChange} />}
      error={error}
      required={asked.isRequired}
      withAsterisk={false}
      value={value}
      onChange={onChange}
    >
      <Stack gap="xs" className="answer-options">
        {all.map(([each, words]) => (
          <Radio key={each} size="md" value={each} label={words} aria-invalid={error !== undefined} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
