/** Checks compiler and linter settings, and constructs that no source may contain. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Compiler {
  readonly extends?: string
  readonly compilerOptions?: Readonly<Record<string, unknown>>
}
interface Linter {
  readonly categories: Readonly<Record<string, string>>
  readonly rules: Readonly<Record<string, unknown>>
  readonly overrides?: readonly {
    readonly files: readonly string[]
    readonly rules?: Readonly<Record<string, unknown>>
  }[]
}

const readJson = <Value>(path: string): Value => JSON.parse(readFileSync(path, 'utf8')) as Value
const linter = readJson<Linter>('.oxlintrc.json')

/**
 * Build options that remove or replace code by its name, or that declare code free of side effects from outside.
 */
const REMOVES_BY_NAME =
  /\b(?:treeshake|manualPureFunctions|moduleSideEffects|sideEffects|define|pure(?:_funcs|_getters)?|drop(?:_?[lL]abels|_?[cC]onsole|_?[dD]ebugger)?)['"]?\s*[:,]/
const isSource = (path: string) =>
  /\.(?:tsx?|mjs)$/.test(path) && !/node_modules|\/dist\/|\.test\.tsx?$/.test(path)

function expectNowhereWeaker(rules: readonly string[]): void {
  for (const rule of rules) expect([rule, linter.rules[rule]]).toEqual([rule, 'error'])
  const weakened = (linter.overrides ?? []).flatMap(({ files, rules: own = {} }) =>
    rules.filter((rule) => own[rule] !== undefined).map((rule) => `${files.join()}: ${rule}`),
  )
  expect(weakened).toEqual([])
}

test('the linter forbids running a text as a program everywhere', () => {
  expectNowhereWeaker(['no-eval', 'no-implied-eval', 'no-new-func'])
})

test('types are strict in every room, none is any, and equality compares them', () => {
  expectNowhereWeaker(['eqeqeq', 'typescript/no-explicit-any'])
  const { compilerOptions } = readJson<Compiler>('tsconfig.base.json')
  expect(compilerOptions).toMatchObject({ strict: true, noUncheckedIndexedAccess: true })
  const rooms = readdirSync('.').filter((name) => /^tsconfig\.(?!base\.)\w+\.json$/.test(name))
  expect(rooms.length).toBeGreaterThan(4)
  for (const room of rooms) {
    const { extends: base, compilerOptions: own = {} } = readJson<Compiler>(room)
    expect([room, base, 'strict' in own]).toEqual([room, './tsconfig.base.json', false])
  }
})

test('no build removes code by its name or declares code free of side effects', () => {
  const scripts = readdirSync('scripts', { recursive: true, encoding: 'utf8' })
  const files = ['vite.config.ts', ...scripts.map((path) => `scripts/${path}`).filter(isSource)]
  expect(files.filter((file) => REMOVES_BY_NAME.test(readFileSync(file, 'utf8')))).toEqual([])
})
