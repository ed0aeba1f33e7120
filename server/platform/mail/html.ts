/** HTML templates that escape every value, unless it is already HTML of ours. */

/** Only `html` creates it. */
export interface Html {
  readonly markup: string
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Fills a template with escaped values, for text and for quoted attributes. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html {
  return {
    markup: parts
      .map((part, place) => {
        const value = values[place]
        return value === undefined ? part : part + write(value)
      })
      .join(''),
  }
}

function write(value: string | number | Html | readonly Html[]): string {
  if (typeof value === 'number') return `${value}`
  if (typeof value === 'string')
    return value.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}
