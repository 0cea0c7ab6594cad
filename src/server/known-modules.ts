import { registerHooks } from 'node:module'

const sources = new URL('../', import.meta.url).href
const drizzle = '/node_modules/drizzle-orm/'
const found = new Map<string, { url: string; format?: string | null | undefined }>()

/**
 * Tells Node where modules are that need no search: our own, and drizzle's. For each of them it would look for the package.json above and
 * read it anew, and drizzle's names a thousand files: a quarter of a start.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL = '' } = context
    if (parentURL.startsWith(sources) && specifier.endsWith('.ts')) {
      const url = specifier.startsWith('#') ? new URL(specifier.slice(1), sources) : new URL(specifier, parentURL)
      return { url: url.href, format: 'module-typescript', shortCircuit: true }
    }
    if (specifier.startsWith('.') && specifier.endsWith('.js') && parentURL.includes(drizzle))
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
    if (!specifier.startsWith('drizzle-orm')) return nextResolve(specifier, context)
    const known = found.get(specifier) ?? nextResolve(specifier, context)
    found.set(specifier, known)
    return { ...known, shortCircuit: true }
  },
})
