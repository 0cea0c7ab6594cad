import type { Plugin } from 'vite'

/** The wall: nothing that runs in a browser may reach into a server wing. */
export function wall(): Plugin {
  return {
    name: 'wall',
    enforce: 'pre',
    async resolveId(id, from, options) {
      if (!from) return null
      const resolved = await this.resolve(id, from, { ...options, skipSelf: true })
      if (resolved && /\/src\/(server\/|features\/[^/]+\/server\/)/.test(resolved.id))
        this.error(`${from} (pages) must not import ${resolved.id} (server): say it in a contract.ts instead`)
      return resolved
    },
  }
}
