/** The page's own scheme: an origin of its own, unlike `file:`. */
export const PAGE_SCHEME = 'countersign-app';
export const PAGE_ORIGIN = `${PAGE_SCHEME}://console`;
export const PAGE_URL = `${PAGE_ORIGIN}/`;

/** Whether an address is our page, at whichever of its screens: those are told apart by the fragment alone. */
export function isPageAddress(address: string): boolean {
  return address.split('#', 1)[0] === PAGE_URL;
}
