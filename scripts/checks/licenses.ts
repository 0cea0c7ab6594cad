import type { Check } from './check.ts'
import { sourceImports } from './imports.ts'
import { files, read } from './tree.ts'

type Entry = {
  version: string
  license?: string
  integrity: string
  dev?: boolean
  optional?: boolean
  devOptional?: boolean
} & Needs
type Needs = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> }
export type Package = { name: string; version: string; license: string; integrity: string; optional: boolean }
type LicensePolicy = {
  agreed: Record<string, string>
  /** The licenses of packages that declare none, by package name. */
  undeclared: Record<string, { license: string }>
  inside: Record<string, string>
}

export const readLicensePolicy = (): LicensePolicy => JSON.parse(read('security/licenses.json')) as LicensePolicy

/**
 * Returns all shipped packages of all platforms, sorted by name and unique by version: production dependencies and packages bundled into the pages.
 * `license` is empty if none is declared.
 */
export function shippedPackages(): Package[] {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> }
  const { undeclared } = readLicensePolicy()
  const bundled = withDependencies(packages, bundledPackages())
  const found = Object.entries(packages)
    .filter(([path, entry]) => path !== '' && (!entry.dev || bundled.has(path)))
    .map(([path, { version, license, integrity, optional, devOptional }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return {
        name,
        version,
        license: license ?? undeclared[name]?.license ?? '',
        integrity,
        optional: Boolean(optional || devOptional) && !bundled.has(path),
      }
    })
  const once = new Map(found.map((each) => [`${each.name}@${each.version}`, each]))
  return [...once.values()].toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** Returns the names of the packages that sources and styles import. */
function bundledPackages(): string[] {
  const styles = files(/^src\/.*\.css$/).flatMap((file) =>
    Array.from(read(file).matchAll(/(?:@import |url\()["'](@?[a-z][^"']*)["']/gm), ([, specifier]) => specifier!),
  )
  const sources = sourceImports().flatMap(({ specifier, typeOnly }) =>
    typeOnly || /^([.#/]|node:)/.test(specifier) ? [] : [specifier],
  )
  const names = [...styles, ...sources].map((specifier) =>
    specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'),
  )
  // The development server is not bundled.
  return [...new Set(names)].filter((name) => name !== 'vite')
}

/** Returns the lockfile paths of these packages and their dependencies, resolved as Node resolves them. */
function withDependencies(packages: Record<string, Entry>, names: string[]): Set<string> {
  const reached = new Set<string>()
  const visit = (name: string, from: string) => {
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
      const entry = packages[path]
      if (entry && !reached.has(path)) {
        reached.add(path)
        for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) visit(next, path)
      }
      if (entry || folder === '') return
    }
  }
  for (const name of names) visit(name, '')
  return reached
}

export const licenseCheck: Check = {
  name: 'every shipped package has an allowed license',
  run: () => {
    const { agreed } = readLicensePolicy()
    return shippedPackages()
      .filter(({ license }) => !Object.hasOwn(agreed, license))
      .map(
        ({ name, version, license }) =>
          `${name} ${version} ${license ? `has the license ${license}` : 'declares no license'}: do without it, or allow it in security/licenses.json`,
      )
  },
}
