/** Reads query strings of pages: invalid values fall back to defaults, and unknown parameters are dropped. */
import type * as z from 'zod/mini'

/** The part of URLSearchParams used here, because the types of this folder exclude the DOM. */
interface Query {
  get(name: string): string | null
}
type Shape = Readonly<Record<string, z.ZodMiniType>>

/**
 * Returns the known parameters with valid values as text, in the schema's order. The first of repeated parameters
 * counts.
 */
export function knownQuery(schema: z.ZodMiniObject<Shape>, query: Query): Record<string, string> {
  const known: Record<string, string> = {}
  for (const [name, field] of Object.entries(schema.shape)) {
    const value = query.get(name)
    if (value !== null && value !== '' && field.safeParse(value).success) known[name] = value
  }
  return known
}

/** Returns the parsed values for a page's loader. */
export function readQuery<S extends z.ZodMiniObject<Shape>>(schema: S, query: Query): z.output<S> {
  return schema.parse(knownQuery(schema, query)) as z.output<S>
}
