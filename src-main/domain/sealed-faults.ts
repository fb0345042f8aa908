/** The value cannot be opened: another key, another place, or changed bytes. Says nothing about the content. */
export class SealBrokenError extends Error {
  constructor(place: string) {
    super(`The sealed value of ${place} cannot be opened: it was changed, moved, or sealed with another key.`);
    this.name = 'SealBrokenError';
  }
}

/** The value is whole and has the form of another release. It is kept as it is: that release can read it (D-14). */
export class OtherFormError extends SealBrokenError {
  constructor(place: string, form: unknown, known: number | string) {
    super(place);
    this.name = 'OtherFormError';
    this.message = `The sealed value of ${place} has the form ${JSON.stringify(form)}; this release reads form ${JSON.stringify(known)}.`;
  }
}
