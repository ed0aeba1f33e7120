/** The page that a person left to earn its price. It travels in the router's state and survives a reload. */
import { useLocation } from 'react-router'
import * as z from 'zod/mini'

const schema = z.object({ wanted: z.object({ path: z.string(), title: z.string() }) })

export type Wanted = z.infer<typeof schema>['wanted']

/** Returns null for people who came from elsewhere. */
export function useWanted(): Wanted | null {
  return schema.safeParse(useLocation().state).data?.wanted ?? null
}
