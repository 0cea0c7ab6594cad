import type { Check } from './check.ts'
import { read } from './tree.ts'

type Entry = {
  optionalDependencies?: Record<string, string>
  version?: string
  resolved?: string
  integrity?: string
  dev?: boolean
  optional?: boolean
  devOptional?: boolean
  hasInstallScript?: boolean
  link?: boolean
}
type Floors = {
  floors: Record<string, { atLeast: string; because: string }>
  banned: Record<string, string>
  installScripts: Record<string, string>
  productionPackagesAtMost: number
}

export const readFloors = (): Floors => JSON.parse(read('security/floors.json')) as Floors

export const lockfileCheck: Check = {
  name: 'the lockfile is complete, and versions are at least those of security/floors.json',
  run: () => {
    const lock = JSON.parse(read('package-lock.json')) as { lockfileVersion: number; packages: Record<string, Entry> }
    const limits = readFloors()
    const entries = Object.entries(lock.packages)
      .filter(([path]) => path !== '')
      .map(([path, entry]) => ({
        name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
        ...entry,
      }))
    const shipped = entries.filter((entry) => !entry.dev && !entry.optional && !entry.devOptional)
    return [
      ...(lock.lockfileVersion === 3
        ? []
        : ['package-lock.json does not have lockfile version 3: run npm install with npm 9 or newer']),
      ...entries.flatMap((entry) => violationsOf(entry, limits)),
      ...(shipped.length > limits.productionPackagesAtMost
        ? [
            `${shipped.length} packages are installed in production, the limit is ${limits.productionPackagesAtMost}: do without the new ones, or raise productionPackagesAtMost`,
          ]
        : []),
      ...droppedPlatforms(lock.packages),
      ...looseVersions(),
    ]
  },
}

/** Returns the violations of one lockfile entry. */
export function violationsOf(entry: Entry & { name: string }, limits: Floors): string[] {
  const at = `package-lock.json: ${entry.name} ${entry.version}`
  const floor = limits.floors[entry.name]
  const ban = Object.keys(limits.banned).find((pattern) =>
    pattern.endsWith('*') ? entry.name.startsWith(pattern.slice(0, -1)) : entry.name === pattern,
  )
  return [
    ...(entry.integrity?.startsWith('sha512-') ? [] : [`${at} has no sha512: install it from the npm registry`]),
    // Without `resolved`, every machine uses its configured registry, and sha512 verifies the content.
    ...(entry.resolved === undefined
      ? []
      : [`${at} names an address: install it with omit-lockfile-registry-resolved`]),
    ...(entry.hasInstallScript && !limits.installScripts[entry.name]
      ? [`${at} has an install script: do without it, or list it with a reason in security/floors.json`]
      : []),
    ...(ban ? [`${at} is banned: ${limits.banned[ban]}`] : []),
    ...(floor && compareVersions(entry.version ?? '0', floor.atLeast) < 0
      ? [`${at} is below ${floor.atLeast}: ${floor.because}`]
      : []),
  ]
}

/** npm silently omits optional packages that the registry does not have at the time; `npm ci` on other platforms then rejects the lockfile. */
function droppedPlatforms(packages: Record<string, Entry>): string[] {
  return Object.entries(packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`])
      .map(
        ([name, version]) =>
          `package-lock.json: ${path} depends on ${name} ${version}, which is missing, so npm ci fails: use a version that is published for every platform`,
      ),
  )
}

function looseVersions(): string[] {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<
    string,
    Record<string, string> | undefined
  >
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `package.json: ${name} ${version} is not an exact version (npm install --save-exact)`)
}

/** Compares versions: negative if `a` is older. A pre-release is older than its release. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('-', 1)[0]!.split('.').map(Number))
  for (const index of [0, 1, 2]) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0)
    if (difference !== 0) return difference
  }
  return Number(b.includes('-')) - Number(a.includes('-'))
}
