/** The built web, as this room knows it: one function from a request to HTML. Its types are held by hand. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Session } from '#contract/accounts.schemas.ts'
import type { Call } from '#contract/endpoint.ts'
import type { Locale } from '#contract/messages/messages.ts'
import type { SiteNames } from '#contract/site.ts'
import { readAssets, type Assets } from '#server/pages/built/assets.ts'
import { readManifest } from '#server/pages/built/builds.ts'

/** A signed-in person as pages show them. */
export type Person = Omit<Session, 'accessToken'>

/** A call's outcome as plain data: the built web has its own copies of all classes. */
export type Outcome =
  | { readonly ok: true; readonly answer: unknown }
  | {
      readonly ok: false
      readonly status: number
      readonly message: string
      readonly fields: Readonly<Record<string, string>>
    }

export interface PageSettings {
  readonly origin: string
  readonly names: SiteNames
  readonly mail: string
  readonly social: string
  readonly year: number
}

/** A form without script that was refused: shown again with why. */
export interface RefusedForm {
  readonly status: number
  /** Translated, as everything below. */
  readonly message: string
  readonly fields: Readonly<Record<string, string>>
  /** What was given, but passwords and files. */
  readonly values: Readonly<Record<string, string>>
}

export interface RenderRequest {
  /** Path and query. */
  readonly url: string
  readonly locale: Locale
  readonly person: Person | null
  readonly settings: PageSettings
  readonly refused: RefusedForm | null
  readonly assets: Assets
  /** `quiet` calls count no view. */
  readonly call: (endpoint: Call, input: unknown, quiet: boolean) => Promise<Outcome>
  readonly signal: AbortSignal
}

export interface Rendered {
  readonly status: number
  /** A path; the HTML is then empty. */
  readonly redirect: string | null
  readonly html: string
  /** What was thrown by mistake, for the log. */
  readonly failure: unknown
}

export interface Renderer {
  /** Of the build. */
  readonly folder: string
  readonly assets: Assets
  /** For the policy's hashes. */
  readonly inlineScripts: readonly string[]
  readonly render: (request: RenderRequest) => Promise<Rendered>
}

type BuiltEntry = Pick<Renderer, 'inlineScripts' | 'render'>

/** Imports a build (see takeBuild). @throws when the folder holds none */
export async function loadRenderer(folder: string): Promise<Renderer> {
  const entry = (await import(
    pathToFileURL(join(folder, 'server/entry.server.js')).href
  )) as BuiltEntry
  return {
    folder,
    assets: readAssets(await readManifest(folder)),
    inlineScripts: entry.inlineScripts,
    render: entry.render,
  }
}
