import { readFileSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { AnyEndpoint } from '../../src/kit/endpoint.ts'

const contract = /\/src\/features\/[^/]+\/contract\.ts$/
const whole = '?whole'

/**
 * In the browser an endpoint is its address: method, path and flags. The schemas behind it (and the library that runs them)
 * are fetched only with the forms that import a schema by name. What the server sends it has checked itself.
 */
export function thinContracts(): Plugin {
  return {
    name: 'thin-contracts',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'client',
    async load(id) {
      const file = id.endsWith(whole) ? id.slice(0, -whole.length) : id
      if (!contract.test(file)) return null
      // Making a schema changes nothing elsewhere: a chunk that uses none of them leaves them all out.
      if (file !== id) return { code: readFileSync(file, 'utf8'), map: null, moduleSideEffects: false }
      this.addWatchFile(id)
      const exported = (await import(`${pathToFileURL(id)}?t=${statSync(id).mtimeMs}`)) as Record<string, unknown>
      const names = Object.keys(exported)
      const endpoints = names.filter((name) => isEndpoint(exported[name]))
      const schemas = names.filter((name) => !endpoints.includes(name))
      const lines = endpoints.map((name) => `export const ${name} = ${JSON.stringify(addressOf(exported[name] as AnyEndpoint))}`)
      if (schemas.length > 0) lines.push(`export { ${schemas.join(', ')} } from ${JSON.stringify(id + whole)}`)
      return { code: lines.join('\n'), map: null, moduleSideEffects: false }
    },
  }
}

const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** Everything but the schemas, which JSON could not say, and the summary, which no page shows. */
const addressOf = ({ params: _p, query: _q, body: _b, output: _o, summary: _s, ...address }: AnyEndpoint) => address
