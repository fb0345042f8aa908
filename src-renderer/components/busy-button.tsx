import { Button, Loader, type ButtonProps } from '@mantine/core';
import type { JSX, ReactNode } from 'react';

/**
 * A button whose work takes a while. It keeps the focus meanwhile, which a disabled
 * one would lose, says that it is busy, and takes no second press.
 */
export function BusyButton({
  isBusy,
  isOff = false,
  onPress,
  type = 'button',
  children,
  ...look
}: Pick<ButtonProps, 'variant' | 'size'> & {
  isBusy: boolean;
  /** Does nothing; why stands beside it. */
  isOff?: boolean;
  /** Left out where the form's own submit does the work. */
  onPress?: () => void;
  type?: 'button' | 'submit';
  children: ReactNode;
}): JSX.Element {
  return (
    <Button
      {...look}
      type={type}
      aria-busy={isBusy}
      aria-disabled={isBusy || isOff}
      data-disabled={isOff || undefined}
      leftSection={isBusy ? <Loader size={14} color="currentColor" aria-hidden /> : undefined}
      onClick={(event) => {
        if (isBusy || isOff) event.preventDefault();
        else onPress?.();
      }}
    >
      {children}
    </Button>
  );
}
