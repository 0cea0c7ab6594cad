import { readFileSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { AnyEndpoint } from '../../src/kit/endpoint.ts'

const contract = /\/src\/features\/[^/]+\/(admin-)?contract\.ts$/
const whole = '?whole'
const forAdmins = '?for-admins'

/**
 * In the browser an endpoint is its address: method, path and how its answer is read. The schemas behind it (and the library that runs them)
 * are fetched only with the forms that import a schema by name. What the server sends it has checked itself.
 * Endpoints for administrators stand in a module of their own, so that nobody else fetches them.
 */
export function thinContracts(): Plugin {
  return {
    name: 'thin-contracts',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'client',
    async load(id) {
      const file = id.replace(/\?(whole|for-admins)$/, '')
      if (!contract.test(file)) return null
      // Making a schema changes nothing elsewhere: a chunk that uses none of them leaves them all out.
      if (id.endsWith(whole)) return { code: readFileSync(file, 'utf8'), map: null, moduleSideEffects: false }
      this.addWatchFile(file)
      const exported = (await import(`${pathToFileURL(file)}?t=${statSync(file).mtimeMs}`)) as Record<string, unknown>
      const names = Object.keys(exported)
      const endpoints = names.filter((name) => isEndpoint(exported[name]))
      const kept = endpoints.filter(
        (name) => ((exported[name] as AnyEndpoint).access === 'admin') === id.endsWith(forAdmins),
      )
      const lines = kept.map(
        (name) => `export const ${name} = ${JSON.stringify(addressOf(exported[name] as AnyEndpoint))}`,
      )
      const others = (chosen: string[], where: string) =>
        chosen.length > 0 &&
        !id.endsWith(forAdmins) &&
        lines.push(`export { ${chosen.join(', ')} } from ${JSON.stringify(id + where)}`)
      others(
        names.filter((name) => !endpoints.includes(name)),
        whole,
      )
      others(
        endpoints.filter((name) => !kept.includes(name)),
        forAdmins,
      )
      return { code: lines.join('\n'), map: null, moduleSideEffects: false }
    },
  }
}

const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** What a caller needs to know: no schemas, which JSON could not say, and nothing that is the server's business alone. */
const addressOf = ({ id, method, path, paged, nullWhenSignedOut, file }: AnyEndpoint) => ({
  id,
  method,
  path,
  paged,
  nullWhenSignedOut,
  file,
})
