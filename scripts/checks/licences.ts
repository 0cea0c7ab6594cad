import type { Check } from './check.ts'
import { read } from './tree.ts'

type Entry = { version: string; license?: string; integrity: string; dev?: boolean; optional?: boolean; devOptional?: boolean }
export type Package = { name: string; version: string; licence: string; integrity: string; optional: boolean }
type Agreed = { agreed: Record<string, string>; unsaid: Record<string, { licence: string }>; inside: Record<string, string> }

export const agreement = (): Agreed => JSON.parse(read('security/licences.json')) as Agreed

/** Every package that ships, of all platforms, once per version and by name; `licence` is empty when nobody says one. */
export function shippedPackages(): Package[] {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> }
  const { unsaid } = agreement()
  const found = Object.entries(packages)
    .filter(([path, entry]) => path !== '' && !entry.dev)
    .map(([path, { version, license, integrity, optional, devOptional }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return { name, version, licence: license ?? unsaid[name]?.licence ?? '', integrity, optional: Boolean(optional || devOptional) }
    })
  const once = new Map(found.map((each) => [`${each.name}@${each.version}`, each]))
  return [...once.values()].toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

export const licenceCheck: Check = {
  name: 'everything that ships is under an agreed licence',
  run: () => {
    const { agreed } = agreement()
    return shippedPackages()
      .filter(({ licence }) => !Object.hasOwn(agreed, licence))
      .map(
        ({ name, version, licence }) =>
          `${name} ${version} ${licence ? `is under ${licence}` : 'says no licence'}: do without it, or put that into security/licences.json on purpose`,
      )
  },
}
