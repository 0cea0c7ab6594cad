import { readFileSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { AnyEndpoint } from '../../src/kit/endpoint.ts'

const contract = /\/src\/features\/[^/]+\/(admin-([\w-]+-)?)?contract\.ts$/
const whole = '?whole'

/**
 * Reduces the endpoints of contracts in the browser to method, path and flags. The schemas and zod are loaded only with forms that import a
 * schema by name, because the server validates its responses.
 */
export function thinContracts(): Plugin {
  return {
    name: 'thin-contracts',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name !== 'ssr',
    async load(id) {
      const file = id.replace(/\?whole$/, '')
      if (!contract.test(file)) return null
      // Creating schemas has no side effects, so a chunk that uses none of them omits them all.
      if (id.endsWith(whole)) return { code: readFileSync(file, 'utf8'), map: null, moduleSideEffects: false }
      this.addWatchFile(file)
      const exported = (await import(`${pathToFileURL(file)}?t=${statSync(file).mtimeMs}`)) as Record<string, unknown>
      const names = Object.keys(exported)
      const endpoints = names.filter((name) => isEndpoint(exported[name]))
      const constants = names.filter((name) => isConstant(exported[name]))
      const schemas = names.filter((name) => !endpoints.includes(name) && !constants.includes(name))
      const lines = [
        ...(endpoints.length > 0 ? ["import { thinEndpoint } from '#kit/thin-endpoint.ts'"] : []),
        ...endpoints.map((name) => `export const ${name} = ${sourceOfEndpoint(exported[name] as AnyEndpoint)}`),
        ...constants.map((name) => `export const ${name} = ${sourceOf(exported[name] as Constant)}`),
      ]
      if (schemas.length > 0) lines.push(`export { ${schemas.join(', ')} } from ${JSON.stringify(id + whole)}`)
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

/** A call that creates the properties that the client needs, without schemas and server-only flags. */
function sourceOfEndpoint({ method, path, paged, nullWhenSignedOut, file, upload }: AnyEndpoint): string {
  const flags = JSON.stringify({ paged, nullWhenSignedOut, upload, file })
  const values = [method, path].map((value) => JSON.stringify(value))
  return `/* @__PURE__ */ thinEndpoint(${[...values, ...(flags === '{}' ? [] : [flags])].join(', ')})`
}
