/** Query strings of pages: bad values are replaced silently, unknown parameters are dropped. */
import type * as z from 'zod/mini'

/** What URLSearchParams has; this room knows no DOM. */
interface Query {
  get(name: string): string | null
}
type Shape = Readonly<Record<string, z.ZodMiniType>>

/** The known parameters with good values, as text, in the schema's order. The first of doubled ones counts. */
export function knownQuery(schema: z.ZodMiniObject<Shape>, query: Query): Record<string, string> {
  const known: Record<string, string> = {}
  for (const [name, field] of Object.entries(schema.shape)) {
    const value = query.get(name)
    if (value !== null && value !== '' && field.safeParse(value).success) known[name] = value
  }
  return known
}

/** The same, parsed: what a page's loader hands to a call. */
export function readQuery<S extends z.ZodMiniObject<Shape>>(schema: S, query: Query): z.output<S> {
  return schema.parse(knownQuery(schema, query)) as z.output<S>
}
