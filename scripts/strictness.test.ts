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

const ROOMS = ['server', 'contract', 'web', 'worker', 'packages', 'scripts', 'lab', 'deploy']
/** Code that executes strings: eval and Function, a timer, or a module made from text. */
const RUNS_TEXT =
  /(?<![.\w])eval\(|\bnew Function\(|(?<![.\w])Function\(|\bset(?:Timeout|Interval)\(\s*['"`]|from '(?:node:)?vm'/
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

test('no source runs a text as a program, and the linter forbids it everywhere', () => {
  expectNowhereWeaker(['no-eval', 'no-implied-eval', 'no-new-func'])
  const files = ROOMS.flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' }).map((path) => `${room}/${path}`),
  ).filter(isSource)
  expect(files.length).toBeGreaterThan(900)
  expect(files.filter((file) => RUNS_TEXT.test(readFileSync(file, 'utf8')))).toEqual([])
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
  for (const option of [
    "manualPureFunctions: ['text'],",
    "treeshake: 'smallest',",
    'moduleSideEffects: false,',
    "define: { text: 'undefined' },",
    "esbuild: { pure: ['console.log'] },",
    "pure_funcs: ['message'],",
    "esbuild: { 'drop': ['console'] },",
    'compress: { dropConsole: true },',
  ])
    expect([option, REMOVES_BY_NAME.test(option)]).toEqual([option, true])
})
