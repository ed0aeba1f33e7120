export interface DemoFollow {
  readonly by: string
  readonly author: string
  readonly daysAgo: number
}

export const followed: readonly DemoFollow[] = [
  { by: 'elena', author: 'Рада', daysAgo: 120 },
  { by: 'elena', author: 'mira.s', daysAgo: 40 },
  { by: 'teo', author: 'ивайло', daysAgo: 90 },
  { by: 'teo', author: 'leila.h', daysAgo: 12 },
  { by: 'vesi', author: 'Рада', daysAgo: 20 },
  { by: 'ana_k', author: 'mira.s', daysAgo: 75 },
  { by: 'jonas.w', author: 'leila.h', daysAgo: 60 },
]
