/** Each component has a style sheet of its own (a CSS Module), so no sheet can reach what belongs to another. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import postcss, { AtRule, Rule, type ChildNode } from 'postcss'
import parseSelectors, { type Selector } from 'postcss-selector-parser'
import { expect, test } from 'vitest'

/** The parts of the base sheet, which every page loads. */
const BASE = 'web/ui/styles/index.css'
const IMPORT = /import (\w+) from '([^']+\.module\.css)'/g

const paths = readdirSync('web', { recursive: true, encoding: 'utf8' }).map((path) =>
  join('web', path),
)
const modules = paths.filter((path) => path.endsWith('.module.css'))
const sources = paths.filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))

const isInKeyframes = (node: ChildNode): boolean =>
  node.parent instanceof AtRule && node.parent.name.includes('keyframes')

/** The classes of a sheet by where they stand: its own, and those it takes from all pages with `:global()`. */
function classesOf(text: string): { own: Set<string>; global: Set<string> } {
  const own = new Set<string>()
  const global = new Set<string>()
  postcss.parse(text).walkRules((rule) => {
    if (isInKeyframes(rule)) return
    parseSelectors((root) =>
      root.walkClasses((node) => {
        const around = node.parent?.parent
        const isGlobal = around?.type === 'pseudo' && around.value === ':global'
        ;(isGlobal ? global : own).add(node.value)
      }),
    ).processSync(rule.selector)
  })
  return { own, global }
}

/** Each use of a module's classes in a source: the module, and the name; null where no name is written. */
function usesIn(path: string, text: string): { module: string; name: string | null }[] {
  return [...text.matchAll(IMPORT)].flatMap(([, identifier = '', from = '']) => {
    const module = from.startsWith('#') ? from.slice(1) : join(dirname(path), from)
    const uses = text.matchAll(
      new RegExp(String.raw`(?<![\w.])${identifier}(?:\.(\w+)|\['([^']+)'\]|\[)`, 'g'),
    )
    return [...uses].map(([, dotted, quoted]) => ({ module, name: dotted ?? quoted ?? null }))
  })
}

const uses = sources.flatMap((path) =>
  usesIn(path, readFileSync(path, 'utf8')).map((use) => ({ ...use, path })),
)
const usedOf = (module: string) => uses.filter((use) => use.module === module)

test('what uses a class is recognised', () => {
  const source = `
    import styles from './Own.module.css'
    import otherStyles from '#web/b/Other.module.css'
    classes(styles.card, styles['card-2'], otherStyles[kind])
  `
  expect(usesIn('web/a/Own.tsx', source)).toEqual([
    { module: 'web/a/Own.module.css', name: 'card' },
    { module: 'web/a/Own.module.css', name: 'card-2' },
    { module: 'web/b/Other.module.css', name: null },
  ])
  const sheet = '.card:not(.old) .title {} .text :global(.prose) {} @keyframes k { 50.5% {} }'
  expect(classesOf(sheet)).toEqual({
    own: new Set(['card', 'old', 'title', 'text']),
    global: new Set(['prose']),
  })
})

test('no two sheets have one name: it is the prefix of their classes', () => {
  const names = modules.map((module) => basename(module))
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([])
})

test('every class that a component names is in its sheet', () => {
  const missing = uses.filter(
    ({ module, name }) => name === null || !classesOf(readFileSync(module, 'utf8')).own.has(name),
  )
  expect(missing).toEqual([])
})

test('every class of a sheet is used', () => {
  const unused = modules.flatMap((module) => {
    const used = new Set(usedOf(module).map(({ name }) => name))
    return [...classesOf(readFileSync(module, 'utf8')).own]
      .filter((name) => !used.has(name))
      .map((name) => `${module}: .${name}`)
  })
  expect(unused).toEqual([])
})

/** Whether a selector finds only what has to do with a class of its own sheet, so that no other page meets it. */
const isOwn = (selector: Selector): boolean => classesOf(`${String(selector)} {}`).own.size > 0

test('every selector of a sheet needs a class of its own', () => {
  const selectors = modules.flatMap((module) => {
    const found: string[] = []
    postcss.parse(readFileSync(module, 'utf8')).walkRules((rule) => {
      if (isInKeyframes(rule) || rule.parent instanceof Rule) return
      for (const selector of parseSelectors().astSync(rule.selector).nodes)
        if (!isOwn(selector)) found.push(`${module}: ${String(selector).trim()}`)
    })
    return found
  })
  // The editing surface is made by a library, with classes of its own.
  expect(selectors.filter((one) => !one.includes(':global(.ProseMirror'))).toEqual([])
})

test('only the base sheet is global', () => {
  const parts = readFileSync(BASE, 'utf8').matchAll(/@import '\.\/([^']+)'/g)
  const base = [BASE, ...[...parts].map(([, name = '']) => join('web/ui/styles', name))]
  const others = paths
    .filter((path) => path.endsWith('.css') && !path.endsWith('.module.css'))
    // fonts.css imports it.
    .filter((path) => path !== 'web/ui/fonts/faces.css' && !base.includes(path))
  expect(others).toEqual([])
  const imports = sources.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/^import '([^']+\.css)'/gm)].map(([, from]) => from),
  )
  // The library's own sheet, for its toasts.
  expect(new Set(imports)).toEqual(new Set([`#${BASE}`, 'react-toastify/ReactToastify.css']))
})
