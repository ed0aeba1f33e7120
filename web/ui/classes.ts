type Name = string | false | null | undefined

/** Joins the class names that hold; undefined when none does, so that no empty attribute is written. */
export const classes = (...names: readonly Name[]): string | undefined =>
  names.filter(Boolean).join(' ') || undefined
