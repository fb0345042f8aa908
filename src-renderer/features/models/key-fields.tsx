import { Checkbox, PasswordInput } from '@mantine/core';
import type { JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { hasKey, needsKeyAgain } from './connect-model-fields.ts';
import type { ConnectModelStore } from './connect-model-store.ts';
import { useFieldErrors } from './use-field-errors.ts';

/** The key: typed here, sent to the host, never shown again. A stored one stays unless the person says otherwise. */
export function KeyFields({ connectModel }: { connectModel: ConnectModelStore }): JSX.Element {
  const { t } = useTranslation('models');
  const { fields, stored } = useStore(connectModel.store);
  const errorAt = useFieldErrors(connectModel);
  const isStored = stored !== null && hasKey(stored);
  const isAgain = needsKeyAgain(fields, stored);
  return (
    <div>
      <PasswordInput
        label={t('key')}
        description={t('keyHelp')}
        placeholder={isStored && !isAgain && !fields.removesKey ? t('keyStored') : ''}
        autoComplete="off"
        spellCheck={false}
        disabled={fields.removesKey}
        value={fields.key}
        error={errorAt('key')}
        // The library says this of every other kind of field, and not of this one.
        aria-invalid={errorAt('key') !== undefined}
        visibilityToggleButtonProps={{ 'aria-label': t('showKey'), size: 26 }}
        onChange={(event) => connectModel.change('key', event.currentTarget.value)}
      />
      <div role="status">
        {isAgain && !errorAt('key') && <p className="field-note field-warning">{t('keyAgain')}</p>}
      </div>
      {isStored && (
        <Checkbox
          className="remove-key"
          size="md"
          label={t('removeKey')}
          checked={fields.removesKey}
          onChange={(event) => connectModel.removeKey(event.currentTarget.checked)}
        />
      )}
    </div>
  );
}
