/** What deploy/, compose.yaml and the Dockerfile name, the product has: metrics, settings, files. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import * as z from 'zod'
import allocator from '#server/kernel/allocator.json' with { type: 'json' }
import { configHelp } from '#server/kernel/config.ts'
import { findTestPort } from '#server/testing/port.ts'
import { openTestApp } from '#server/testing/setup.ts'

const read = (path: string) => readFileSync(path, 'utf8')
const templates = readdirSync('deploy/helm/templates')
  .map((name) => read(join('deploy/helm/templates', name)))
  .join('\n---\n')

/** Every setting of the product. */
const settings = new Set(
  [...configHelp().matchAll(/^ {2}([A-Z][A-Z0-9_]+)/gm)].map(([, name]) => name),
)

/** What the system and Node read. */
const OF_OTHERS: ReadonlySet<string> = new Set(['HOME', 'NODE_COMPILE_CACHE', 'TMPDIR'])

describe('metrics', () => {
  const shown = new Set<string>()
  beforeAll(async () => {
    const app = await openTestApp()
    const port = await findTestPort()
    await app.app.listenMetrics(port, '127.0.0.1')
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
      shown.add(name)
      const parts = type === 'histogram' ? ['_bucket', '_count', '_sum'] : ['_count', '_sum']
      if (type === 'histogram' || type === 'summary')
        for (const part of parts) shown.add(name + part)
    }
  })

  /** Names in an expression: words that are neither functions, labels nor what stands in quotes. */
  function namesIn(expression: string): string[] {
    const bare = expression
      .replaceAll(/\{[^}]*\}/g, '')
      .replaceAll(/\[[^\]]*\]/g, '')
      .replaceAll(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, '')
    return [...bare.matchAll(/\b[a-z_]\w*\b(?!\s*\()/g)]
      .map(([name]) => name)
      .filter((name) => !['offset', 'and', 'or', 'unless', 'bool', 'by'].includes(name))
      .filter((name) => !/^(?:\d+[smhd]|e\d+)$/.test(name))
  }
  const isDefault = (name: string) => /^(?:nodejs|process)_/.test(name)
  /** Prometheus has it of every target. */
  const isOurs = (name: string) => name !== 'up'

  test('each that the dashboard shows is there', () => {
    const board = JSON.parse(read('deploy/grafana.json')) as {
      panels: { targets?: { expr: string }[] }[]
    }
    const names = board.panels
      .flatMap(({ targets = [] }) => targets)
      .flatMap(({ expr }) => namesIn(expr))
    expect(names.length).toBeGreaterThan(25)
    expect(names.filter(isOurs).filter((name) => !shown.has(name))).toEqual([])
  })

  test('the dashboard and the alerts look only at the job of the product', () => {
    const expressions = [
      ...[...read('deploy/grafana.json').matchAll(/"expr": "(.*)"/g)].map(([, expr]) => expr),
      ...(read('deploy/alerts.yaml').match(/expr: (?:>-\n(?: {10}.*\n)+|.*)/g) ?? []),
    ]
    expect(expressions.length).toBeGreaterThan(40)
    const selectors = expressions.flatMap((expr = '') => [
      ...expr.matchAll(/\b(?:bazaar|nodejs|process)_\w+(?!\w)(\{[^}]*\})?/g),
    ])
    expect(
      selectors.filter(([, labels = '']) => !/\bjob=/.test(labels)).map(([all]) => all),
    ).toEqual([])
  })

  test('each of ours is on the dashboard', () => {
    const board = read('deploy/grafana.json')
    const families = [...shown].filter((name) => !/_(?:bucket|count|sum)$/.test(name))
    const unseen = families.filter((name) => !isDefault(name) && !board.includes(name))
    expect(families.length).toBeGreaterThan(20)
    expect(unseen).toEqual([])
  })

  test('each that an alert waits for is there, and every alert says what to do', () => {
    const { groups } = parse(read('deploy/alerts.yaml')) as {
      groups: { rules: { expr: string; annotations: { do?: string; summary?: string } }[] }[]
    }
    const rules = groups.flatMap((group) => group.rules)
    const names = rules.flatMap(({ expr }) => namesIn(expr))
    expect(names.length).toBeGreaterThan(12)
    expect(names.filter(isOurs).filter((name) => !shown.has(name))).toEqual([])
    for (const { annotations } of rules) expect(annotations.do ?? '').toMatch(/\w{3}/)
  })

  test('each of ours stands in operations.md, and nothing else does', () => {
    const table = read('docs/operations.md').split('### Metrics')[1]?.split('\n## ')[0] ?? ''
    const cells = [...table.matchAll(/^\| (.+?) \|/gm)].map(([, cell]) => cell ?? '')
    const named = cells.flatMap((cell) =>
      [...cell.matchAll(/`([a-z]\w+)/g)].map(([, name]) => name ?? ''),
    )
    const ours = [...shown].filter((name) => !isDefault(name))
    const families = ours.filter(
      (name) => !/_(?:bucket|count|sum)$/.test(name) || !ours.includes(name.replace(/_\w+?$/, '')),
    )
    expect(named.filter((name) => !shown.has(name))).toEqual([])
    expect(
      families.filter(
        (name) => !named.some((each) => name === each || name.startsWith(`${each}_`)),
      ),
    ).toEqual([])
  })
})

describe('settings', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, { image: string; environment?: object; env_file?: object }>
  }
  const { services: small } = parse(read('deploy/compose.small.yaml')) as {
    services: typeof services
  }
  const ours = Object.values({ ...services, ...small }).filter(({ image }) =>
    image.startsWith('knowledge-bazaar:'),
  )

  test('each that the Compose files give the product is one, and any other may stand in .env', () => {
    expect(ours.length).toBeGreaterThan(4)
    const given = ours.flatMap(({ environment = {} }) => Object.keys(environment))
    expect(given).toContain('NODE_URL')
    const files = `${read('compose.yaml')}${read('deploy/compose.small.yaml')}`
    given.push(...[...files.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name))
    expect(given.filter((name) => name !== 'SECRET' && !settings.has(name))).toEqual([])
    for (const { env_file: files } of ours)
      expect(files).toEqual([{ path: '.env', required: false }])
  })

  test('each that the units and the image give it is one, and they have the settings of malloc', () => {
    const lines = ['knowledge-bazaar', 'knowledge-bazaar-worker'].map((name) => {
      const unit = read(`deploy/systemd/${name}.service`)
      return [...unit.matchAll(/^Environment=(.*)$/gm)].map(([, line]) => line).join(' ')
    })
    lines.push(
      /^ENV ((?:.*\\\n)*.*)$/m.exec(read('Dockerfile'))?.[1]?.replaceAll('\\\n', ' ') ?? '',
    )
    for (const line of lines) {
      const given = Object.fromEntries(
        line
          .trim()
          .split(/\s+/)
          .map((pair) => pair.split('=')),
      )
      expect(given).toMatchObject(allocator)
      const names = Object.keys(given).filter(
        (name) => !OF_OTHERS.has(name) && !(name in allocator),
      )
      expect(names.length).toBeGreaterThan(1)
      expect(names.filter((name) => !settings.has(name))).toEqual([])
    }
  })

  test('each that the chart gives it is one', () => {
    const values = parse(read('deploy/helm/values.yaml')) as { settings: object }
    const inTemplates = [...templates.matchAll(/^(?: {2})?([A-Z][A-Z0-9_]+):/gm)].map(
      ([, name]) => name,
    )
    const inContainers = [...templates.matchAll(/- name: ([A-Z][A-Z0-9_]+)$/gm)].map(
      ([, name]) => name,
    )
    const given = [...Object.keys(values.settings), ...inTemplates, ...inContainers]
    expect(given).toContain('AUTH_SECRETS')
    // Out of which NODE_URL is made.
    expect(given.filter((name) => name !== 'POD_IP' && !settings.has(name))).toEqual([])
  })
})

describe('files', () => {
  test('the YAML of the Compose file, the alerts and the chart can be read', () => {
    const files = [
      'compose.yaml',
      'deploy/compose.small.yaml',
      'deploy/alerts.yaml',
      'deploy/prometheus.yaml',
      'deploy/helm/Chart.yaml',
      'deploy/helm/values.yaml',
    ]
    for (const file of files)
      for (const document of parseAllDocuments(read(file), { merge: true }))
        expect([file, document.errors]).toEqual([file, []])
  })

  test('the values of the chart pass its schema, and others do not', () => {
    const schema = z.fromJSONSchema(
      JSON.parse(read('deploy/helm/values.schema.json')) as Parameters<typeof z.fromJSONSchema>[0],
    )
    const values = parse(read('deploy/helm/values.yaml')) as Record<string, unknown>
    expect(schema.safeParse(values).error).toBeUndefined()
    for (const wrong of [{ publicUrl: 'bazaar' }, { nodes: { replicas: 0 } }, { node: {} }])
      expect(schema.safeParse({ ...values, ...wrong }).success).toBe(false)
  })

  test('every value that a template of the chart takes is there', () => {
    const values = parse(read('deploy/helm/values.yaml')) as Record<string, unknown>
    const taken = [...templates.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path ?? '')
    expect(taken.length).toBeGreaterThan(20)
    const has = (path: string) => {
      let at: unknown = values
      for (const name of path.split('.')) {
        if (typeof at !== 'object' || at === null || !(name in at)) return false
        at = (at as Record<string, unknown>)[name]
      }
      return true
    }
    expect(taken.filter((path) => !has(path))).toEqual([])
  })

  test('nodes and workers read settings that belong to the release, and are replaced when they change', () => {
    const settings = read('deploy/helm/templates/settings.yaml').split('---\n')
    const released = settings.filter((part) => !part.includes('helm.sh/hook'))
    expect(released.map((part) => /kind: (\w+)/.exec(part)?.[1])).toEqual(['ConfigMap', 'Secret'])
    for (const part of released)
      expect(part).toContain('name: {{ include "bazaar.name" . }}-settings')
    for (const name of ['nodes', 'workers']) {
      const template = read(`deploy/helm/templates/${name}.yaml`)
      expect(template).toContain('(dict "context" . "settings" "-settings")')
      expect(template).toMatch(
        /annotations:\n {8}\{\{- include "bazaar.podAnnotations" \. \| nindent 8/,
      )
    }
    expect(read('deploy/helm/templates/_pieces.tpl')).toMatch(
      /checksum\/settings: .*\.Values\.settings \.Values\.secrets/,
    )
  })

  test('every file that the image copies or runs, and that Compose mounts, is there', () => {
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(
      ([, files = '']) => files.split(' '),
    )
    const mounted = [...read('compose.yaml').matchAll(/\.\/(deploy\/[\w.-]+):/g)].map(
      ([, file = '']) => file,
    )
    const run = [
      ...`${read('compose.yaml')}${templates}${read('Dockerfile')}`.matchAll(
        /\[?"?node"?, "?([\w/.]+)"?/g,
      ),
    ].map(([, file = '']) => file)
    expect(run.length).toBeGreaterThan(3)
    const files = [...copied, ...mounted, ...run].filter((file) => !file.includes('*'))
    expect(files.filter((file) => !existsSync(file))).toEqual([])
  })

  test('the image has every source of the pages', () => {
    const [, list = ''] = /const SOURCES = \[([^\]]*)\]/.exec(read('scripts/build.mjs')) ?? []
    const sources = [...list.matchAll(/'([^']+)'/g)].map(([, source = '']) => source.split('/')[0])
    expect(sources.length).toBeGreaterThan(5)
    // The process that serves is bundled there too.
    sources.push('server')
    const [, pages = ''] = /AS pages\n([\s\S]*?)\nFROM /.exec(read('Dockerfile')) ?? []
    const copied = [...pages.matchAll(/^COPY (.*) \S+$/gm)].flatMap(([, files = '']) =>
      files.split(' '),
    )
    const letIn = read('.dockerignore').split('\n')
    const missing = sources.filter(
      (source = '') => !copied.includes(source) || !letIn.includes(`!${source}`),
    )
    expect(missing).toEqual([])
  })

  test('no process of the image asks for a package that it leaves out', () => {
    const [, words = ''] =
      /rm -rf ((?:node_modules\/\S+ |\\\n|# .*\n|\s)+)/.exec(read('Dockerfile')) ?? []
    const left = [...words.matchAll(/node_modules\/(\S+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !name.startsWith('.'))
    expect(left).toContain('@typescript')
    const isLeft = (name: string) =>
      left.some((each) =>
        each.endsWith('*')
          ? name.startsWith(each.slice(0, -1))
          : name === each || name.startsWith(`${each}/`),
      )
    const absent = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('scripts/'))
    const asked = ['server', 'contract', 'scripts'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(?:ts|mjs)$/.test(file) && !/\.test\.ts$|testing\//.test(file))
        .filter((file) => !absent.some((path) => `${folder}/${file}`.startsWith(path)))
        .flatMap((file) =>
          [
            ...read(join(folder, file)).matchAll(
              /^(?:import|\} from|export \* from).*?'([^'.#][^']*)'/gm,
            ),
          ].map(([, name = '']) => `${folder}/${file}: ${name}`),
        ),
    )
    expect(asked.length).toBeGreaterThan(100)
    expect(asked.filter((line) => isLeft(line.split(': ')[1] ?? ''))).toEqual([])
  })

  test('the units pass systemd where it is installed', () => {
    const units = ['knowledge-bazaar', 'knowledge-bazaar-worker'].map(
      (name) => `deploy/systemd/${name}.service`,
    )
    const { error, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], {
      encoding: 'utf8',
    })
    const said = (stderr ?? '').split('\n').filter((line) => line.includes('knowledge-bazaar'))
    // Nothing is installed in /opt here.
    const complaints = said.filter((line) => !line.includes('is not executable'))
    expect(error === undefined ? complaints : []).toEqual([])
  })
})
