/** PostgreSQL can't store U+0000 or lone surrogates, which have no UTF-8 form. */

export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Removes U+0000 and replaces each lone surrogate with U+FFFD. */
export function toStorable(text: string): string {
  return isStorable(text) ? text : text.replaceAll('\0', '').toWellFormed()
}
