/** Style sheets load with their pages and never unload, so none may style what belongs to another. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import postcss, { AtRule, type ChildNode, type Container, type Document } from 'postcss'
import parseSelectors, { type Selector } from 'postcss-selector-parser'
import { expect, test } from 'vitest'

interface Rule {
  readonly sheet: string
  readonly selector: Selector
  /** The selectors of each rule that it is nested in. */
  readonly outer: readonly (readonly Selector[])[]
}

/**
 * Classes of pieces that several pages place and adapt, each within a class of its own (`.notes .compose`). One sheet
 * styles the piece itself.
 */
const PIECES = new Set([
  'balance',
  'compose',
  'dialog',
  'form',
  'qr',
  'seal',
  'submit',
  'unread',
  'wire',
  // The editor's library gives it to the editing surface.
  'ProseMirror',
])

/** Pieces of the first sheets of which a later sheet brings the rest: what guests see, and what the signed-in do. */
const COMPLETED_LATER = new Map([
  ['web/ratings/ratings.css', new Set(['ratings', 'rating-summary'])],
])

const INDEX = 'web/ui/styles/index.css'
/** Every page loads it, in a layer after the components: it styles their controls' states and nothing else. */
const STATES = 'web/ui/styles/states/states.css'

function readSheets(): Map<string, string> {
  const paths = readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.css') && !path.endsWith('.module.css'))
    .map((path) => join('web', path))
  return new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]))
}

/** Sheets that every page loads, always in the same order. */
function listFirstSheets(): Set<string> {
  const imports = readFileSync(INDEX, 'utf8').matchAll(/@import '\.\/([^']+)'/g)
  const parts = [...imports].map(([, name = '']) => join('web/ui/styles', name))
  return new Set([INDEX, 'web/layout/layout.css', ...parts])
}

function listParents(node: ChildNode): (Container | Document)[] {
  const { parent } = node
  return parent === undefined ? [] : [parent, ...listParents(parent as ChildNode)]
}

const isKeyframes = (node: Container | Document): boolean =>
  node instanceof AtRule && node.name.includes('keyframes')

const selectorsOf = (rule: postcss.Rule): Selector[] =>
  parseSelectors().astSync(rule.selector).nodes

function listRules(sheets: Map<string, string>): Rule[] {
  const rules: Rule[] = []
  for (const [sheet, text] of sheets) {
    postcss.parse(text, { from: sheet }).walkRules((rule) => {
      const parents = listParents(rule)
      if (parents.some(isKeyframes)) return
      const outer = parents.filter((parent) => parent instanceof postcss.Rule).map(selectorsOf)
      for (const selector of selectorsOf(rule)) rules.push({ sheet, selector, outer })
    })
  }
  return rules
}

/** The class that the whole selector consists of; states, attributes and pseudo-elements don't narrow it to a place. */
function bareClassOf(selector: Selector): string | null {
  const parts = selector.nodes.filter((node) =>
    node.type === 'pseudo' ? node.nodes.some(hasClasses) : node.type !== 'attribute',
  )
  const [first] = parts
  return parts.length === 1 && first?.type === 'class' ? first.value : null
}

const hasClasses = (selector: Selector): boolean => classesOf(selector).length > 0

function classesOf(selector: Selector): string[] {
  const found: string[] = []
  selector.walkClasses(({ value }) => void found.push(value))
  return found
}

/** Whether every element that the selector finds has to do with one of these classes. */
function needs(selector: Selector, isOwn: (name: string) => boolean): boolean {
  return selector.nodes.some((node) => {
    if (node.type === 'class') return isOwn(node.value)
    // Of :is(.a, .b) every alternative must need one; :not() finds what lacks it.
    if (node.type !== 'pseudo' || node.value === ':not' || node.nodes.length === 0) return false
    return node.nodes.every((alternative) => needs(alternative, isOwn))
  })
}

function sheetsByClass(rules: Rule[], namesOf: (rule: Rule) => string[]) {
  const found = new Map<string, Set<string>>()
  for (const rule of rules) {
    for (const name of namesOf(rule))
      found.set(name, (found.get(name) ?? new Set()).add(rule.sheet))
  }
  return found
}

function bareClasses({ selector, outer }: Rule): string[] {
  const name = outer.length === 0 ? bareClassOf(selector) : null
  return name === null ? [] : [name]
}

/** Classes that more than one sheet styles by themselves (`.own`, `.own:hover`), with these sheets. */
function sharedBareClasses(rules: Rule[]): string[] {
  const others = rules.filter(({ sheet }) => sheet !== STATES)
  return [...sheetsByClass(others, bareClasses)]
    .filter(([, sheets]) => sheets.size > 1)
    .map(([name, sheets]) => `.${name}: ${[...sheets].join(', ')}`)
}

/** Selectors of sheets that load later and reach beyond what only their sheet names. */
function strayingSelectors(rules: Rule[], first: Set<string>): string[] {
  const mentions = sheetsByClass(rules, ({ selector }) => classesOf(selector))
  const bare = sheetsByClass(rules, bareClasses)
  return rules
    .filter(({ sheet }) => !first.has(sheet))
    .filter(({ sheet, selector, outer }) => {
      const isOwn = (name: string) =>
        mentions.get(name)?.size === 1 ||
        (PIECES.has(name) && bare.get(name)?.has(sheet) === true) ||
        COMPLETED_LATER.get(sheet)?.has(name) === true
      const stands = [[selector], ...outer]
      return !stands.some((list) => list.every((one) => needs(one, isOwn)))
    })
    .map(({ sheet, selector }) => `${sheet}: ${String(selector).trim()}`)
}

const rulesOf = (sheets: Record<string, string>) => listRules(new Map(Object.entries(sheets)))

test('sheets that style each other are recognised', () => {
  const shared = rulesOf({
    'a.css': '@media print { .own:hover {} } .a .row {}',
    'b.css': '.b, .own[open]::after {} .b .row {}',
  })
  expect(sharedBareClasses(shared)).toEqual(['.own: a.css, b.css'])
  const straying = rulesOf({
    'first.css': '.btn {} .list .row {}',
    'later.css':
      '.mine .btn {} .mine:has(.btn) {} :is(.mine, .yours) {} .mine { &:hover, p {} } .btn {} p {} .row {} .btn:not(.mine) {} :is(.mine, .btn) {}',
  })
  expect(strayingSelectors(straying, new Set(['first.css']))).toEqual([
    'later.css: .btn',
    'later.css: p',
    'later.css: .row',
    'later.css: .btn:not(.mine)',
    'later.css: :is(.mine, .btn)',
  ])
})

test('no class is styled by itself in two sheets', () => {
  expect(sharedBareClasses(listRules(readSheets()))).toEqual([])
})

test('what a sheet that loads later styles has a class that no other sheet names', () => {
  expect(strayingSelectors(listRules(readSheets()), listFirstSheets())).toEqual([])
})
