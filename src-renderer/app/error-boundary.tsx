import { Button } from '@mantine/core';
import { Component, type JSX, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface BoundaryState {
  isBroken: boolean;
}

/** Keeps a bug of one screen from taking the whole console away. React itself puts the error on the console. */
export class ErrorBoundary extends Component<{ children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { isBroken: false };

  static getDerivedStateFromError(): BoundaryState {
    return { isBroken: true };
  }

  override render(): ReactNode {
    return this.state.isBroken ? (
      <BrokenScreen onRetry={() => this.setState({ isBroken: false })} />
    ) : (
      this.props.children
    );
  }
}

function BrokenScreen({ onRetry }: { onRetry: () => void }): JSX.Element {
  const { t } = useTranslation('frame');
  return (
    <div role="alert" className="screen">
      <h1>{t('broke')}</h1>
      <p>{t('brokeText')}</p>
      <Button onClick={onRetry}>{t('showAgain')}</Button>
    </div>
  );
}
