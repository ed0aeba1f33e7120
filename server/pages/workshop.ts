/**
 * Pages from their sources, while they are developed (`npm run dev`): another process has Vite (scripts/dev-pages.ts),
 * this one fetches from it what renders the pages, and hands its files on to browsers.
 */
import { readdirSync } from 'node:fs'
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { EvaluatedModuleNode } from 'vite/module-runner'
import { rendererOf, type PageRenderer } from '#contract/render.ts'
import type { Renderer } from '#server/pages/renderer.ts'

const WORD = '--pages='
const ENTRY = '/web/entry.server.tsx'
/** What a browser asks for that Vite answers. */
const SOURCE = /^\/(?:@|web\/|contract\/|node_modules\/)/

/** What differs from a build, where pages come from their sources. */
export interface Workshop {
  /** Where browsers hear of changes. */
  readonly socket: string
  /** Answers a source file, and says so. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** The workshop's address among the words of a process, or undefined: then a build is served. */
export function findWorkshop(words: readonly string[]): string | undefined {
  return words.find((word) => word.startsWith(WORD))?.slice(WORD.length)
}

/**
 * @param origin of the process that has Vite
 * @throws what fetch throws when it is away, and what the pages throw when they are loaded
 */
export async function openWorkshop(origin: string): Promise<Renderer> {
  const load = await createLoader(origin)
  const { inlineScripts } = await load()
  return {
    folder: '',
    inlineScripts,
    render: async (request) => (await load()).render(request),
    assets: {
      script: '/@id/__x00__virtual:dev-entry',
      styles: ['/web/ui/styles/index.css?direct', ...listModules()],
      pages: {},
      messages: {},
    },
    workshop: {
      socket: origin.replace(/^http/, 'ws'),
      answer: (request, response) => {
        if (!SOURCE.test(request.url ?? '')) return false
        handOn(origin, request, response)
        return true
      },
    },
  }
}

/** All CSS Modules: the server does not know which of them a page uses. */
const listModules = (): string[] =>
  readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.module.css'))
    .map((path) => `/web/${path.replaceAll('\\', '/')}?direct`)

interface Changes {
  readonly files: readonly string[]
  /** Of all changes so far. */
  readonly count: number
}

/** Loads the pages' renderer, again when a source has changed since. */
async function createLoader(origin: string): Promise<() => Promise<PageRenderer<AbortSignal>>> {
  // Only who develops has it.
  const { ESModulesEvaluator, ModuleRunner } = await import('vite/module-runner')
  const invoke = async (payload: unknown) => {
    const answer = await fetch(`${origin}/invoke`, {
      method: 'POST',
      body: JSON.stringify(payload),
    })
    return answer.json() as Promise<{ result: unknown } | { error: unknown }>
  }
  const runner = new ModuleRunner({ transport: { invoke }, hmr: false }, new ESModulesEvaluator())
  let seen = 0
  let loading: Promise<PageRenderer<AbortSignal>> | null = null

  /** Evaluates a module and everything that imports it again with the next import. */
  function invalidate(module: EvaluatedModuleNode): void {
    if (module.evaluated === false && module.promise === undefined) return
    runner.evaluatedModules.invalidateModule(module)
    for (const importer of module.importers) {
      const above = runner.evaluatedModules.getModuleById(importer)
      if (above !== undefined) invalidate(above)
    }
  }

  return async () => {
    const answer = await fetch(`${origin}/changes?since=${seen}`)
    const { files, count } = (await answer.json()) as Changes
    // Two pages may ask at once, and both are told of the same files.
    seen = Math.max(seen, count)
    const modules = files.flatMap((file) => [
      ...(runner.evaluatedModules.getModulesByFile(file) ?? []),
    ])
    for (const module of modules) invalidate(module)
    if (modules.length > 0 || loading === null) {
      loading = runner.import<unknown>(ENTRY).then((entry) => rendererOf<AbortSignal>(entry))
      // What failed may lack a file that doesn't exist yet, so the next page evaluates everything again.
      loading.catch(() => {
        runner.clearCache()
        loading = null
      })
    }
    return loading
  }
}

function handOn(origin: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url } = request
  const asked = ask(`${origin}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  asked.once('error', () => response.writeHead(502).end())
  request.pipe(asked)
}
