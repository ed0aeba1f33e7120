/** Texts that PostgreSQL stores as they are: without U+0000, and without half a surrogate pair, which UTF-8 can't say. */

/** Whether PostgreSQL can store the text exactly as it is. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** The same text without U+0000, U+FFFD in the place of each lone surrogate. */
export function toStorable(text: string): string {
  return isStorable(text) ? text : text.replaceAll('\0', '').toWellFormed()
}
