/**
 * The schemas of the API description. Exported schemas of the contract have names, by which the others refer to
 * them.
 */
import * as z from 'zod/mini'
import * as accessTokens from '#contract/access-tokens.ts'
import * as accounts from '#contract/accounts.ts'
import * as appeals from '#contract/appeals.ts'
import * as audit from '#contract/audit.ts'
import * as backup from '#contract/backup.ts'
import * as certificates from '#contract/certificates.ts'
import * as chat from '#contract/chat.ts'
import * as checks from '#contract/checks.ts'
import * as comments from '#contract/comments.ts'
import * as courseForms from '#contract/course-forms.ts'
import * as courseLists from '#contract/courses.ts'
import * as courses from '#contract/courses.ts'
import * as description from '#contract/description.ts'
import * as economy from '#contract/economy.ts'
import * as exports from '#contract/exports.ts'
import * as factors from '#contract/factors.ts'
import * as fields from '#contract/fields.ts'
import * as files from '#contract/files.ts'
import * as flags from '#contract/flags.ts'
import * as follows from '#contract/follows.ts'
import * as home from '#contract/home.ts'
import * as identities from '#contract/identities.ts'
import * as items from '#contract/items.ts'
import * as jobs from '#contract/jobs.ts'
import * as lessonForms from '#contract/lesson-forms.ts'
import * as lessonLists from '#contract/lessons.ts'
import * as lessons from '#contract/lessons.ts'
import * as likes from '#contract/likes.ts'
import * as mail from '#contract/mail.ts'
import * as moderation from '#contract/moderation.ts'
import * as notes from '#contract/notes.ts'
import * as notices from '#contract/notices.ts'
import * as passkeys from '#contract/passkeys.ts'
import * as points from '#contract/points.ts'
import * as profileCard from '#contract/profile-card.ts'
import * as profiles from '#contract/profiles.ts'
import * as progress from '#contract/progress.ts'
import * as questions from '#contract/questions.ts'
import * as ratings from '#contract/ratings.ts'
import * as search from '#contract/search.ts'
import * as sessions from '#contract/sessions.ts'
import * as waysIn from '#contract/ways-in.ts'
import * as webhooks from '#contract/webhooks.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { FormError, Problem } from '#contract/errors.ts'

export type Json = Record<string, unknown>

const MODULES: readonly Readonly<Record<string, unknown>>[] = [
  { FormError, Problem },
  accessTokens,
  accounts,
  appeals,
  audit,
  backup,
  certificates,
  chat,
  checks,
  comments,
  courseForms,
  courseLists,
  courses,
  description,
  economy,
  exports,
  factors,
  fields,
  files,
  flags,
  follows,
  home,
  identities,
  items,
  jobs,
  lessonForms,
  lessonLists,
  lessons,
  likes,
  mail,
  moderation,
  notes,
  notices,
  passkeys,
  points,
  profileCard,
  profiles,
  progress,
  questions,
  ratings,
  search,
  sessions,
  waysIn,
  webhooks,
]

/** A schema of any other kind is shorter than a reference to it. */
const NAMED_KINDS: readonly string[] = ['object', 'union']
const REF = '#/components/schemas/'

export interface Schemas {
  readonly inputOf: (endpoint: Endpoint) => Json
  readonly answerOf: (endpoint: Endpoint) => Json
  /** Returns schemas by name, only those that the document refers to. */
  readonly components: (document: Json) => Json
}

export function convertSchemas(endpoints: readonly Endpoint[]): Schemas {
  const registry = z.registry<{ id: string }>()
  const names = nameExports(registry)
  const inputs = new Map<Endpoint, string>()
  const answers = new Map<Endpoint, string>()
  const add = (schema: z.ZodMiniType, id: string): string => {
    const known = registry.get(schema)?.id
    if (known !== undefined) return known
    registry.add(schema, { id })
    return id
  }
  for (const [place, endpoint] of endpoints.entries()) {
    inputs.set(endpoint, add(endpoint.input, `input-${place}`))
    if (endpoint.answer !== null) answers.set(endpoint, add(endpoint.answer, `answer-${place}`))
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (id) => REF + id,
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'file')
        Object.assign(jsonSchema, { type: 'string', format: 'binary' })
    },
  })
  const bodyOf = (id: string | undefined): Json => {
    const { $id: _id, $schema: _schema, ...rest } = schemas[id ?? ''] ?? {}
    return rest
  }
  const isNamed = (id: string | undefined) => id !== undefined && names.has(id)
  return {
    inputOf: (endpoint) => bodyOf(inputs.get(endpoint)),
    answerOf: (endpoint) => {
      const id = answers.get(endpoint)
      return isNamed(id) ? { $ref: REF + String(id) } : bodyOf(id)
    },
    components: (document) => {
      const found = new Map<string, Json>()
      const collect = (value: unknown) => {
        for (const [, id = ''] of JSON.stringify(value).matchAll(
          /"#\/components\/schemas\/(\w+)"/g,
        )) {
          if (found.has(id)) continue
          found.set(id, bodyOf(id))
          collect(bodyOf(id))
        }
      }
      collect(document)
      return Object.fromEntries([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    },
  }
}

/** Registers the exported schemas by their names. @throws when two different ones have the same name */
function nameExports(registry: z.core.$ZodRegistry<{ id: string }>): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [name, schema] of MODULES.flatMap((module) => Object.entries(module))) {
    if (!(schema instanceof z.ZodMiniType) || registry.has(schema)) continue
    if (!NAMED_KINDS.includes(schema._zod.def.type)) continue
    if (names.has(name)) throw new Error(`two schemas are called ${name}`)
    names.add(name)
    registry.add(schema, { id: name })
  }
  return names
}
