import { Button, Fieldset, TextInput } from '@mantine/core';
import { useEffect, useRef, type JSX, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { MAX_PLACES, type PlaceList, type PlaceRow } from './connect-model-fields.ts';
import type { ConnectModelStore } from './connect-model-store.ts';
import { useFieldErrors } from './use-field-errors.ts';

/** Which of the texts belong to which list. */
const WORDS = {
  databases: {
    title: 'databases',
    help: 'databasesHelp',
    add: 'addDatabase',
    name: 'databaseName',
    path: 'databasePath',
    remove: 'removeDatabase',
  },
  workspaces: {
    title: 'workspaces',
    help: 'workspacesHelp',
    add: 'addWorkspace',
    name: 'workspaceName',
    path: 'workspacePath',
    remove: 'removeWorkspace',
  },
} as const;

/** The databases or the folders that runs may use: one row each. */
export function PlaceRows({ connectModel, list }: { connectModel: ConnectModelStore; list: PlaceList }): JSX.Element {
  const { t } = useTranslation('models');
  const rows = useStore(connectModel.store, ({ fields }) => fields[list]);
  const words = WORDS[list];
  const parts = useRef<HTMLFieldSetElement>(null);
  const moveFocus = useFocusAfterChange(parts);
  return (
    <Fieldset ref={parts} legend={t(words.title)}>
      <p className="quiet">{t(words.help)}</p>
      {rows.map((place, index) => (
        <Row
          key={place.row}
          connectModel={connectModel}
          list={list}
          place={place}
          index={index}
          onRemove={() => {
            const next = rows[index + 1] ?? rows[index - 1];
            moveFocus(next?.row ?? 'add');
            connectModel.removePlace(list, place.row);
          }}
        />
      ))}
      {rows.length < MAX_PLACES && (
        <Button
          size="compact-sm"
          variant="default"
          data-row="add"
          onClick={() => moveFocus(connectModel.addPlace(list))}
        >
          {t(words.add)}
        </Button>
      )}
    </Fieldset>
  );
}

/** A removed row takes its focus along; a new one should have it. Both only after the rows are on screen. */
function useFocusAfterChange(parts: RefObject<HTMLElement | null>): (target: number | 'add') => void {
  const target = useRef<number | 'add' | null>(null);
  useEffect(() => {
    if (target.current === null) return;
    parts.current?.querySelector<HTMLElement>(`[data-row="${target.current}"]`)?.focus();
    target.current = null;
  });
  return (next) => {
    target.current = next;
  };
}

function Row({
  connectModel,
  list,
  place,
  index,
  onRemove,
}: {
  connectModel: ConnectModelStore;
  list: PlaceList;
  place: PlaceRow;
  index: number;
  onRemove: () => void;
}): JSX.Element {
  const { t } = useTranslation('models');
  const errorAt = useFieldErrors(connectModel);
  const words = WORDS[list];
  const number = index + 1;
  return (
    <div className="place-row">
      <TextInput
        data-row={place.row}
        label={t(words.name, { number })}
        autoComplete="off"
        spellCheck={false}
        value={place.name}
        error={errorAt(`${list}.${index}.name`)}
        onChange={(event) => connectModel.changePlace(list, place.row, { name: event.currentTarget.value })}
      />
      <TextInput
        label={t(words.path, { number })}
        autoComplete="off"
        spellCheck={false}
        value={place.path}
        error={errorAt(`${list}.${index}.path`)}
        onChange={(event) => connectModel.changePlace(list, place.row, { path: event.currentTarget.value })}
      />
      <Button size="compact-sm" variant="subtle" color="gray" className="place-remove" onClick={onRemove}>
        {t('remove')} <span className="visually-hidden">{t(words.remove, { number })}</span>
      </Button>
    </div>
  );
}
