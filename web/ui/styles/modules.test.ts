/** Tests that each component has its own CSS Module, so that no sheet can affect another component. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import postcss, { AtRule, Rule, type ChildNode } from 'postcss'
import parseSelectors, { type Selector } from 'postcss-selector-parser'
import { expect, test } from 'vitest'

/** The base sheet, which every page loads. */
const BASE = 'web/ui/styles/index.css'
const IMPORT = /import (\w+) from '([^']+\.module\.css)'/g

const paths = readdirSync('web', { recursive: true, encoding: 'utf8' }).map((path) =>
  join('web', path),
)
const modules = paths.filter((path) => path.endsWith('.module.css'))
const sources = paths.filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))

const isInKeyframes = (node: ChildNode): boolean =>
  node.parent instanceof AtRule && node.parent.name.includes('keyframes')

/** Returns a sheet's own classes, and the ones it takes from the base sheet with `:global()`. */
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

/** Lists each use of a module's class in a source file. The name is null if it is computed. */
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

test('uses of a class are found', () => {
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

test('sheet names are unique, because they prefix the classes', () => {
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

/** Whether a selector contains a class of its own sheet, so that it cannot match elsewhere. */
const isOwn = (selector: Selector): boolean => classesOf(`${String(selector)} {}`).own.size > 0

test('every selector contains a class of its own sheet', () => {
  const selectors = modules.flatMap((module) => {
    const found: string[] = []
    postcss.parse(readFileSync(module, 'utf8')).walkRules((rule) => {
      if (isInKeyframes(rule) || rule.parent instanceof Rule) return
      for (const selector of parseSelectors().astSync(rule.selector).nodes)
        if (!isOwn(selector)) found.push(`${module}: ${String(selector).trim()}`)
    })
    return found
  })
  // A library creates the editor's elements, with its own classes.
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
  // The toast library's own sheet.
  expect(new Set(imports)).toEqual(new Set([`#${BASE}`, 'react-toastify/ReactToastify.css']))
})
