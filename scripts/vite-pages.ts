/** A page and its data are one file: the two imports of a line of the route table become one of both. */
import type { Plugin } from 'vite'
import { pathBelow } from './vite-chunks.ts'

const PAGE = 'virtual:page/'
const LINE = /import\('#web\/(\w+\/\w+Page)(?:\.data\.ts|\.tsx)'\)/g

/**
 * Joins a page's component and its data into one chunk of the browser's build (`virtual:page/…`), so that a page is
 * one request; the server's build stays as it is.
 */
export function pages(): Plugin {
  return {
    name: 'pages',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId: (id) => (id.startsWith(PAGE) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PAGE}`)) return null
      const page = `#web/${id.slice(PAGE.length + 1)}`
      return [
        `export { default } from '${page}.tsx'`,
        `export * from '${page}.tsx'`,
        `export * from '${page}.data.ts'`,
      ].join('\n')
    },
    transform: (code, id) =>
      pathBelow(id) === 'web/routes.ts'
        ? {
            code: code.replaceAll(LINE, (_, page: string) => `import('${PAGE}${page}')`),
            map: null,
          }
        : null,
  }
}
