import { setNonce } from 'get-nonce';

/**
 * The nonce that the host made for the styles of this one page load, for the library
 * that locks scrolling and for Mantine. The policy allows no other inline style.
 */
export function takeStyleNonce(): string {
  const nonce = document.documentElement.dataset.styleNonce ?? '';
  delete document.documentElement.dataset.styleNonce;
  setNonce(nonce);
  return nonce;
}
