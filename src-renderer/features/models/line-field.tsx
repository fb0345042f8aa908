import { TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { useStore } from 'zustand';
import type { ConnectModelStore } from './connect-model-store.ts';
import { useFieldErrors } from './use-field-errors.ts';

/** A required line of the form, taken exactly as typed: names and addresses are no prose to correct. */
export function LineField({
  connectModel,
  field,
  label,
  description,
}: {
  connectModel: ConnectModelStore;
  field: 'identifier' | 'baseUrl' | 'modelId';
  label: string;
  description: string;
}): JSX.Element {
  const value = useStore(connectModel.store, ({ fields }) => fields[field]);
  const errorAt = useFieldErrors(connectModel);
  return (
    <TextInput
      label={label}
      description={description}
      required
      withAsterisk={false}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      value={value}
      error={errorAt(field)}
      onChange={(event) => connectModel.change(field, event.currentTarget.value)}
    />
  );
}
