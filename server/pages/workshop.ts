/**
 * Renders pages from their sources during development (`npm run dev`): another process runs Vite
 * (scripts/dev-pages.ts), and this one fetches the renderer from it and forwards its files to browsers.
 */
import { readdirSync } from 'node:fs'
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { EvaluatedModuleNode } from 'vite/module-runner'
import { rendererOf, type PageRenderer } from '#contract/render.ts'
import type { Renderer } from '#server/pages/renderer.ts'

const WORD = '--pages='
const ENTRY = '/web/entry.server.tsx'
/** Requests that Vite handles. */
const SOURCE = /^\/(?:@|web\/|contract\/|node_modules\/)/

/** How rendering from sources differs from a build. */
export interface Workshop {
  /** The WebSocket that announces changes to browsers. */
  readonly socket: string
  /** Serves a source file; returns false for other requests. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** Returns the development server's origin from the command line; undefined serves a build. */
export function findWorkshop(words: readonly string[]): string | undefined {
  return words.find((word) => word.startsWith(WORD))?.slice(WORD.length)
}

/**
 * @param origin of the process that runs Vite
 * @throws errors of fetch when it is unavailable, and of the pages when they are loaded
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
        forward(origin, request, response)
        return true
      },
    },
  }
}

/** Lists all CSS Modules, because the server doesn't know which of them a page uses. */
const listModules = (): string[] =>
  readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.module.css'))
    .map((path) => `/web/${path.replaceAll('\\', '/')}?direct`)

interface Changes {
  readonly files: readonly string[]
  /** Number of changes so far. */
  readonly count: number
}

/** Loads the renderer, and again after a source has changed. */
async function createLoader(origin: string): Promise<() => Promise<PageRenderer<AbortSignal>>> {
  // Vite is installed only for development.
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

  /** Evaluates a module and all its importers again with the next import. */
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
    // Two pages may ask concurrently and get the same files.
    seen = Math.max(seen, count)
    const modules = files.flatMap((file) => [
      ...(runner.evaluatedModules.getModulesByFile(file) ?? []),
    ])
    for (const module of modules) invalidate(module)
    if (modules.length > 0 || loading === null) {
      loading = runner.import<unknown>(ENTRY).then((entry) => rendererOf<AbortSignal>(entry))
      // The failure may come from a missing file that is added later, so the next page evaluates everything again.
      loading.catch(() => {
        runner.clearCache()
        loading = null
      })
    }
    return loading
  }
}

function forward(origin: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url } = request
  const asked = ask(`${origin}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  asked.once('error', () => response.writeHead(502).end())
  request.pipe(asked)
}
