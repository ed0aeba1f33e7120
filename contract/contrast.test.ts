import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BACKGROUNDS, readableOn } from '#contract/contrast.ts'

test('an accent colour needs enough contrast on every background of its scheme', () => {
  expect(['#0e5f49', '#7a1fa2', '#000000'].map((colour) => readableOn('light', colour))).toEqual([
    true,
    true,
    true,
  ])
  // 4.5 on white, but less on the background of a hovered row.
  expect(['#767676', '#7fd0b0', '#ffffff'].map((colour) => readableOn('light', colour))).toEqual([
    false,
    false,
    false,
  ])
  expect(['#7fd0b0', '#ffffff'].map((colour) => readableOn('dark', colour))).toEqual([true, true])
  expect(['#0e5f49', '#7a8a80'].map((colour) => readableOn('dark', colour))).toEqual([false, false])
})

test('the backgrounds are those of the style sheet', () => {
  const css = readFileSync('web/ui/styles/tokens.css', 'utf8')
  const valueOf = (name: string) => new RegExp(`--${name}: ([^;]+);`).exec(css)?.[1] ?? ''
  const names = { ground: 'ground', surface: 'surface', hover: 'hover', text: 'on-brand' } as const
  for (const [place, token] of Object.entries(names)) {
    const pair = /light-dark\(var\(--([\w-]+)\), var\(--([\w-]+)\)\)/.exec(valueOf(token))
    const [light, dark] = [pair?.[1] ?? '', pair?.[2] ?? ''].map(valueOf)
    const key = place as keyof typeof names
    expect([light, dark], place).toEqual([BACKGROUNDS.light[key], BACKGROUNDS.dark[key]])
  }
})
