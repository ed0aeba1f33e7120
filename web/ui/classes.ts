type Name = string | false | null | undefined

/** Joins the class names that are set. Returns undefined for none, which omits the attribute. */
export const classes = (...names: readonly Name[]): string | undefined =>
  names.filter(Boolean).join(' ') || undefined
