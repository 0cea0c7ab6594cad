import { readFileSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { AnyEndpoint } from '../../src/kit/endpoint.ts'

const contract = /\/src\/features\/[^/]+\/(admin-)?contract\.ts$/
const whole = '?whole'
const forAdmins = '?for-admins'

/**
 * Reduces the endpoints of contracts in the browser to method, path and flags. The schemas and zod are loaded only with forms that import a
 * schema by name, because the server validates its responses. Admin endpoints are in a separate module, so that other users do not load them.
 */
export function thinContracts(): Plugin {
  return {
    name: 'thin-contracts',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'client',
    async load(id) {
      const file = id.replace(/\?(whole|for-admins)$/, '')
      if (!contract.test(file)) return null
      // Creating schemas has no side effects, so a chunk that uses none of them omits them all.
      if (id.endsWith(whole)) return { code: readFileSync(file, 'utf8'), map: null, moduleSideEffects: false }
      this.addWatchFile(file)
      const exported = (await import(`${pathToFileURL(file)}?t=${statSync(file).mtimeMs}`)) as Record<string, unknown>
      const names = Object.keys(exported)
      const endpoints = names.filter((name) => isEndpoint(exported[name]))
      const constants = names.filter((name) => isConstant(exported[name]))
      const own = endpoints.filter(
        (name) => ((exported[name] as AnyEndpoint).access === 'admin') === id.endsWith(forAdmins),
      )
      const lines = own.map(
        (name) => `export const ${name} = ${JSON.stringify(addressOf(exported[name] as AnyEndpoint))}`,
      )
      if (!id.endsWith(forAdmins))
        for (const name of constants) lines.push(`export const ${name} = ${sourceOf(exported[name] as Constant)}`)
      const others = (chosen: string[], where: string) =>
        chosen.length > 0 &&
        !id.endsWith(forAdmins) &&
        lines.push(`export { ${chosen.join(', ')} } from ${JSON.stringify(id + where)}`)
      others(
        names.filter((name) => !endpoints.includes(name) && !constants.includes(name)),
        whole,
      )
      others(
        endpoints.filter((name) => !own.includes(name)),
        forAdmins,
      )
      return { code: lines.join('\n'), map: null, moduleSideEffects: false }
    },
  }
}

const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

type Constant = string | number | RegExp
const isConstant = (value: unknown): value is Constant =>
  typeof value === 'string' || typeof value === 'number' || value instanceof RegExp

const sourceOf = (value: Constant): string => (value instanceof RegExp ? String(value) : JSON.stringify(value))

/** The properties that the client needs, without schemas and server-only flags. */
const addressOf = ({ id, method, path, paged, nullWhenSignedOut, file }: AnyEndpoint) => ({
  id,
  method,
  path,
  paged,
  nullWhenSignedOut,
  file,
})
