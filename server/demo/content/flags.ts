import type { DemoFlag } from './types.ts'

/** Open reports, so that the moderation page is not empty. */
export const flags: DemoFlag[] = [
  {
    by: 'teo',
    daysAgo: 3,
    lesson: 'Save a split mayo',
    text: 'The video shows another recipe than the text tells.',
  },
  {
    by: 'mira.s',
    daysAgo: 0.2,
    comment:
      'Only an idiot needs a video for this. You are pathetic, go and learn something first.',
    text: 'He insults the author and everybody who reads it.',
  },
  {
    by: 'Рада',
    daysAgo: 0.1,
    comment: 'Ти си пълен некадърник, срам да те е да учиш хората! Боклук.',
    text: 'Обиди вместо мнение. Така не се говори на никого.',
  },
]
