/**
 * Drafts of the forms of lessons and courses. The versions of a key only grow, also when its draft ends. A change names
 * the version on which it is based, and is refused if that is not the current one.
 */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { DraftVersion, Instant } from '#contract/fields.ts'
import type { ItemKind } from '#contract/points.ts'

/** Bytes of one draft, as JSON. */
export const DRAFT_BYTES = 256 * 1024
/** Drafts per person. */
export const MOST_DRAFTS = 50
/** Days after its last change on which a draft is deleted. */
export const DRAFT_DAYS = 365
/** Changes of drafts per minute, by one person and by all on one node. */
export const DRAFTS_A_MINUTE = { person: 60, all: 3000 } as const

/**
 * `lesson-7` edits an item. `lesson-new` is a new one; with a UUID, as in `lesson-new-0190…`, a person can have several.
 */
const PATTERN =
  /^(lesson|course)-(?:new(?:-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?|([1-9]\d{0,14}))$/

const DraftKey = z.string({ error: 'invalidId' }).check(z.regex(PATTERN, { error: 'invalidId' }))

/** The item is null for a new one. Returns null for what is no key. */
export function parseDraftKey(key: string): { kind: ItemKind; itemId: number | null } | null {
  const [, kind, itemId] = PATTERN.exec(key) ?? []
  if (kind !== 'lesson' && kind !== 'course') return null
  return { kind, itemId: itemId === undefined ? null : Number(itemId) }
}

const summary = { key: z.string(), version: z.number(), savedAt: Instant }

export const ListedDraft = z.object({
  ...summary,
  /** Empty while none is typed. */
  title: z.string(),
  /** The item that the draft edits, or null for a new one. Its title is empty if it was deleted. */
  item: z.nullable(z.object({ id: z.number(), title: z.string(), gone: z.boolean() })),
})
export type ListedDraft = z.infer<typeof ListedDraft>

/** The form's fields. The server reads only `title`, and the addresses in `resources` and `picture`. */
const Values = z.record(z.string(), z.unknown())

export const Draft = z.object({ ...summary, values: Values })
export type Draft = z.infer<typeof Draft>

/** Members of the refusal 409 `draftNewer`, and of `draftEnded` without a draft. */
export const DraftConflict = z.object({ version: z.number(), draft: z.nullable(Draft) })
export type DraftConflict = z.infer<typeof DraftConflict>

const ByKey = z.object({ key: DraftKey })

export const drafts = endpoints({
  all: {
    methods: ['GET'],
    path: '/draft/all',
    access: 'user',
    scope: 'read',
    input: z.object({}),
    answer: z.array(ListedDraft),
    summary: "The caller's drafts of lessons and courses, up to 50, the newest first",
  },
  read: {
    methods: ['GET'],
    path: '/draft/{key}',
    access: 'user',
    scope: 'read',
    input: ByKey,
    answer: Draft,
    summary: 'A draft of one’s own with its text',
  },
  save: {
    methods: ['PUT'],
    path: '/draft/{key}',
    access: 'user',
    scope: 'write',
    bodyBytes: 2 * DRAFT_BYTES,
    input: z.object({ key: DraftKey, base: DraftVersion, values: Values }),
    answer: z.object({ version: z.number(), savedAt: Instant }),
    summary:
      'Save a draft that is based on version `base` (0: none yet); 409 with the newer draft if that is not the current one',
  },
  remove: {
    methods: ['DELETE'],
    path: '/draft/{key}',
    access: 'user',
    scope: 'write',
    input: z.object({ key: DraftKey, base: z.optional(DraftVersion) }),
    answer: null,
    summary: 'Discard a draft; with `base`, only if nobody saved a newer version',
  },
})
