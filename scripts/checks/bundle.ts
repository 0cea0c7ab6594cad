import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Check } from './check.ts'
import { read, root } from './tree.ts'

type Audience = 'anyone' | 'guest' | 'member' | 'admin'
/** The maximum gzipped bytes that a page may load initially. */
const budgets: Record<Audience, { js: number; css: number }> = {
  anyone: { js: 135_000, css: 15_000 },
  guest: { js: 190_000, css: 18_000 },
  member: { js: 190_000, css: 18_000 },
  admin: { js: 250_000, css: 18_000 },
}
/** The maximum bytes of scripts for the home page, compressed with Brotli, as most browsers receive them. */
const homeBrotliBytes = 120_000
/** The maximum bytes of scripts for an admin page with its frame, compressed with Brotli. */
const adminBrotliBytes = 190_000
/** The maximum bytes of scripts that the player page adds to those of every page, compressed with Brotli. hls.js and what opens later are loaded separately. */
const watchBrotliBytes = 25_000
const watchPage = 'src/web/pages/viewing/watch-page.tsx'
const adminFrame = 'src/web/pages/admin/desk/desk-shell.tsx'
const routeTables = [
  'src/web/router.tsx',
  'src/web/account-routes.tsx',
  'src/web/invoice-routes.tsx',
  'src/web/admin-routes.tsx',
]

type Chunk = { file: string; name?: string; isEntry?: boolean; imports?: string[]; css?: string[] }
type Manifest = Record<string, Chunk>

export const bundleCheck: Check = {
  name: 'pages load at most 135 kB of script for visitors (home: 120 kB with Brotli), 190 kB for customers (/watch: 25 kB with Brotli beyond every page) and 250 kB for administrators (190 kB with Brotli), and 15 to 18 kB of CSS, gzipped',
  run: () => {
    const failure = buildWhenStale()
    if (failure) return [failure]
    const manifest = JSON.parse(readFileSync(join(root, 'dist/client/.vite/manifest.json'), 'utf8')) as Manifest
    const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry)
    if (!entry) return ['the build manifest has no entry chunk']
    const heavyHome =
      homeScripts(manifest, entry) > homeBrotliBytes
        ? [
            `the scripts of the home page are ${kilobytes(homeScripts(manifest, entry))} with Brotli, the limit is ${kilobytes(homeBrotliBytes)}`,
          ]
        : []
    const heavyPages = (Object.keys(budgets) as Audience[]).flatMap((who) => {
      const pages = routeTables.flatMap((table) => pagesFor(who, read(table)))
      if (pages.length === 0) return [`${routeTables.join(' and ')} have no page for ${who}`]
      return pages.flatMap((page) =>
        manifest[page]
          ? [
              ...overBudget(manifest, who === 'admin' ? [entry, adminFrame] : [entry], page, budgets[who]),
              ...(who === 'admin' ? heavyAdmin(manifest, entry, page) : adminEndpointsIn(manifest, entry, page)),
            ]
          : [`the build manifest does not list ${page}`],
      )
    })
    const watchBytes = brotliBytes(manifest, [entry, watchPage]) - brotliBytes(manifest, [entry])
    const heavyWatch =
      watchBytes > watchBrotliBytes
        ? [
            `the scripts of ${watchPage} beyond those of every page are ${kilobytes(watchBytes)} with Brotli, the limit is ${kilobytes(watchBrotliBytes)}`,
          ]
        : []
    return [...heavyHome, ...heavyWatch, ...heavyPages]
  },
}

/** Builds the pages unless they are up to date. Returns why they cannot be built. */
export function buildWhenStale(): string | undefined {
  const built = spawnSync(process.execPath, ['scripts/build.js', '--when-stale'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  })
  return built.status === 0 ? undefined : `the pages cannot be built\n${built.stderr || built.stdout}`
}

/** Returns the modules of the pages that a route table shows to an audience. */
export function pagesFor(who: Audience, table: string): string[] {
  const lazily = new Map(
    Array.from(
      table.matchAll(/const (\w+) = lazyRouteComponent\(\(\) => import\('([^']+)'\)/g),
      ([, name, specifier]) => [name!, specifier!],
    ),
  )
  const rows = table.split(/\bpage\(\{/).slice(1)
  const modules = rows
    .filter((row) => row.includes(`who: '${who}'`) || (who === 'admin' && row.includes('...inDesk')))
    .map(
      (row) =>
        /\blazyRouteComponent\(\(\) => import\('([^']+)'\)/.exec(row)?.[1] ??
        lazily.get(/\bpage: (\w+)/.exec(row)?.[1] ?? ''),
    )
    .filter((specifier) => specifier !== undefined)
    .map((specifier) => (specifier.startsWith('#') ? `src/${specifier.slice(1)}` : posix.join('src/web', specifier)))
  return [...new Set(modules)]
}

function heavyAdmin(manifest: Manifest, entry: string, page: string): string[] {
  const bytes = brotliBytes(manifest, [entry, adminFrame, page])
  return bytes > adminBrotliBytes
    ? [`${page} loads ${kilobytes(bytes)} of js with Brotli, the limit is ${kilobytes(adminBrotliBytes)}`]
    : []
}

function overBudget(manifest: Manifest, begin: string[], page: string, budget: { js: number; css: number }): string[] {
  const chunks = reachableChunks(manifest, [...begin, page])
  const files = [...new Set(chunks.flatMap((chunk) => [chunk.file, ...(chunk.css ?? [])]))]
  return (['js', 'css'] as const).flatMap((kind) => {
    const sent = sizes(files.filter((file) => file.endsWith(`.${kind}`)))
    const total = sent.reduce((sum, [, bytes]) => sum + bytes, 0)
    if (process.env.SHOW_SIZES) console.log(page, kind, kilobytes(total))
    if (total <= budget[kind]) return []
    const nameOf = (file: string) => chunks.find((chunk) => chunk.file === file)?.name ?? file
    const list = sent.map(([file, bytes]) => `${nameOf(file)} ${kilobytes(bytes)}`).join(', ')
    return [
      `${page} loads ${kilobytes(total)} of ${kind}, the limit is ${kilobytes(budget[kind])} (${list}): load what is not visible initially lazily, and keep dialogs, menus and forms out of the shell`,
    ]
  })
}

const homeScripts = (manifest: Manifest, entry: string): number =>
  brotliBytes(manifest, [entry, 'src/web/pages/home-page.tsx'])

/** Returns how many bytes of scripts a browser fetches for these modules. A file that Brotli does not make smaller has no `.br` copy. */
function brotliBytes(manifest: Manifest, modules: string[]): number {
  const files = new Set(reachableChunks(manifest, modules).map(({ file }) => join(root, 'dist/client', file)))
  return [...files].reduce(
    (sum, file) => sum + (statSync(`${file}.br`, { throwIfNoEntry: false }) ?? statSync(file)).size,
    0,
  )
}

function reachableChunks(manifest: Manifest, from: string[]): Chunk[] {
  const keys = new Set<string>()
  const visit = (key: string) => {
    if (keys.has(key)) return
    keys.add(key)
    for (const next of manifest[key]?.imports ?? []) visit(next)
  }
  for (const key of from) visit(key)
  return [...keys].map((key) => manifest[key]!)
}

/** The name of the chunk that `vite.config.ts` creates for the admin contracts. Only admin pages may load this chunk. */
const adminEndpoints = 'admin-endpoints'
export const adminEndpointsIn = (manifest: Manifest, entry: string, page: string): string[] =>
  reachableChunks(manifest, [entry, page]).some((chunk) => chunk.name === adminEndpoints)
    ? [`${page} loads admin endpoints: import from contract.ts, not from admin-contract.ts`]
    : []

/** Returns the gzipped size of each file, largest first. */
const sizes = (names: string[]): [string, number][] =>
  names
    .map((file): [string, number] => [
      file,
      gzipSync(readFileSync(join(root, 'dist/client', file)), { level: 9 }).length,
    ])
    .sort((a, b) => b[1] - a[1])

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(3)} kB`
