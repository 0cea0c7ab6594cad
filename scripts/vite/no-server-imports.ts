import type { Plugin } from 'vite'

/** Fails the build if page code imports server code. */
export function noServerImports(): Plugin {
  return {
    name: 'no-server-imports',
    enforce: 'pre',
    async resolveId(id, from, options) {
      if (!from) return null
      const resolved = await this.resolve(id, from, { ...options, skipSelf: true })
      if (resolved && /\/src\/(server\/|features\/[^/]+\/server\/)/.test(resolved.id))
        this.error(
          `${from} (pages) must not import ${resolved.id} (server): declare an endpoint in a contract.ts instead`,
        )
      return resolved
    },
  }
}
