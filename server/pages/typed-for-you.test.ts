/** Password managers can fill account forms, and nothing blocks a paste. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#server/testing/app.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({}, await loadSourceRenderer())
})
afterAll(() => app.close())

/** Type and autocomplete of the text fields of a page. */
async function fieldsOf(path: string): Promise<string[]> {
  const answer = await fetch(app.url + path)
  expect(answer.status).toBe(200)
  const main = /<main[^]*<\/main>/.exec(await answer.text())?.[0] ?? ''
  return [...main.matchAll(/<input [^>]*>/g)]
    .map(([input]) => input)
    .filter((input) => /type="(?:text|email|password)"|autoComplete=|autocomplete=/i.test(input))
    .map((input) => {
      expect(input).not.toMatch(/ onpaste=| readonly| autocomplete="off"/i)
      const [, type = 'text'] = / type="(\w+)"/.exec(input) ?? []
      const [, fills = 'nothing'] = / autocomplete="([^"]*)"/i.exec(input) ?? []
      return `${type}: ${fills}`
    })
}

test('the sign-in is filled by its name and the present password', async () => {
  expect(await fieldsOf('/login')).toEqual(['text: username', 'password: current-password'])
})

test('a registration gets a new password, and a forgotten one the address', async () => {
  expect(await fieldsOf('/register')).toEqual([
    'text: username',
    'email: email',
    'password: new-password',
    'password: new-password',
  ])
  expect(await fieldsOf('/password/forgot')).toEqual(['email: email'])
})

test('no source but the field of pictures hears of a paste, and that takes files alone', () => {
  const hearing = readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .filter((path) =>
      /onPaste|['"]paste['"]|['"]beforeinput['"]/i.test(readFileSync(`web/${path}`, 'utf8')),
    )
  expect(hearing).toEqual(['ui/inputs/PictureField.tsx'])
  expect(readFileSync('web/ui/inputs/PictureField.tsx', 'utf8')).toContain(
    'file === undefined) return\n',
  )
})

test('no field of a password anywhere has it filled by nobody', () => {
  const fields = readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.tsx'))
    .flatMap((path) =>
      [
        ...readFileSync(`web/${path}`, 'utf8').matchAll(
          /<PasswordInput\b[^]*?\/>|<\w+(?:(?!\/>)[^])*? type="password"[^]*?\/>/g,
        ),
      ].map(([field]) => `${path}: ${/autoComplete="([\w-]+)"/.exec(field)?.[1] ?? 'nothing'}`),
    )
  expect(fields.length).toBeGreaterThan(5)
  expect(fields.filter((field) => !/: (?:current|new)-password$/.test(field))).toEqual([])
})
