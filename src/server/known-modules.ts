import { registerHooks } from 'node:module'

const sources = new URL('../', import.meta.url).href
const drizzle = '/node_modules/drizzle-orm/'
const found = new Map<string, { url: string; format?: string | null | undefined }>()

/**
 * Resolves our own modules and those of drizzle without Node's search. For each module, Node would look for the nearest package.json and read it again. The one
 * of drizzle lists a thousand files, and reading it took a quarter of the start time.
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
