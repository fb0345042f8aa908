import { Button, Textarea } from '@mantine/core';
import { useRef, type JSX } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useStore } from 'zustand';
import type { ConfigurationView } from '../../../src-shared/views/configuration-view.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { useFocusFirstProblem } from '../../components/use-focus-first-problem.ts';
import { useGoOn } from '../../components/use-go-on.ts';
import type { ConnectModelStore } from './connect-model-store.ts';
import { DraftNotes } from './draft-notes.tsx';
import { EndpointFields } from './endpoint-fields.tsx';
import { KeyFields } from './key-fields.tsx';
import { LineField } from './line-field.tsx';
import { ModelTestPart } from './model-test-part.tsx';
import { PlaceRows } from './place-rows.tsx';
import { savedState } from './saved-notice.tsx';
import { useFieldErrors } from './use-field-errors.ts';

/**
 * The form. Whatever comes of saving or testing, every entry stays.
 *
 * @param now  the configuration as it is stored at this moment; null = there is none yet
 */
export function ConnectModelForm({
  connectModel,
  now,
}: {
  connectModel: ConnectModelStore;
  now: ConfigurationView | null;
}): JSX.Element {
  const { t } = useTranslation('models');
  const form = useRef<HTMLFormElement>(null);
  const { fields, refusedTimes, failure, isSaving, stored } = useStore(connectModel.store);
  const errorAt = useFieldErrors(connectModel);
  const goOn = useGoOn();
  useFocusFirstProblem(form, refusedTimes);
  async function save(): Promise<void> {
    const saved = await connectModel.save();
    if (saved) goOn('/models', { state: savedState(saved, stored === null) });
  }
  return (
    <form
      ref={form}
      noValidate
      className="connect-model-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <DraftNotes connectModel={connectModel} now={now} />
      <LineField connectModel={connectModel} field="identifier" label={t('name')} description={t('nameHelp')} />
      <EndpointFields connectModel={connectModel} />
      <KeyFields connectModel={connectModel} />
      <ModelTestPart connectModel={connectModel} />
      <Textarea
        label={t('systemPrompt')}
        description={t('systemPromptHelp')}
        rows={4}
        resize="vertical"
        value={fields.systemPrompt}
        error={errorAt('systemPrompt')}
        onChange={(event) => connectModel.change('systemPrompt', event.currentTarget.value)}
      />
      <PlaceRows connectModel={connectModel} list="databases" />
      <PlaceRows connectModel={connectModel} list="workspaces" />
      <FailureAlert failure={failure} uncertain={t('uncertain')} />
      <div className="connect-model-buttons">
        <BusyButton type="submit" isBusy={isSaving}>
          {t(stored ? 'save' : 'connect')}
        </BusyButton>
        <Button component={Link} href="/models" variant="subtle" color="gray">
          {t('toModels')}
        </Button>
      </div>
    </form>
  );
}
