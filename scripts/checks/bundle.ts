import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

import { join, posix } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Check } from './check.ts'
import { read, root } from './tree.ts'

const budget = { js: 135_000, css: 15_000 }
const routeTable = 'src/web/router.tsx'

type Chunk = { file: string; isEntry?: boolean; imports?: string[]; css?: string[] }
type Manifest = Record<string, Chunk>

export const bundleCheck: Check = {
  name: 'every public page sends at most 135 kB of script and 15 kB of style, gzipped',
  run: () => {
    const built = spawnSync(process.execPath, ['scripts/build.js', '--when-stale'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
    })
    if (built.status !== 0) return [`the pages cannot be built\n${built.stderr || built.stdout}`]
    const manifest = JSON.parse(readFileSync(join(root, 'dist/client/.vite/manifest.json'), 'utf8')) as Manifest
    const pages = publicPages(read(routeTable))
    const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry)
    if (!entry || pages.length === 0) return [`there is no ${entry ? `public page in ${routeTable}` : 'entry in the manifest of the build'}`]
    return pages.flatMap((page) => (manifest[page] ? overweight(manifest, entry, page) : [`the manifest of the build lists no ${page}`]))
  },
}

/** The modules of the pages that the route table shows to anyone. */
export function publicPages(table: string): string[] {
  const rows = table.matchAll(/\bpage\(\{((?:(?!\bpage\(\{)[\s\S])*?)\bimport\('([^']+)'\)/g)
  const modules = Array.from(rows)
    .filter(([, row]) => /\bwho: 'anyone'/.test(row!))
    .map(([, , specifier]) => (specifier!.startsWith('#') ? `src/${specifier!.slice(1)}` : posix.join(posix.dirname(routeTable), specifier!)))
  return [...new Set(modules)]
}

function overweight(manifest: Manifest, entry: string, page: string): string[] {
  const chunks = reached(manifest, [entry, page])
  const files = [...new Set(chunks.flatMap((chunk) => [chunk.file, ...(chunk.css ?? [])]))]
  return (['js', 'css'] as const).flatMap((kind) => {
    const sent = sizes(files.filter((file) => file.endsWith(`.${kind}`)))
    const total = sent.reduce((sum, [, bytes]) => sum + bytes, 0)
    if (total <= budget[kind]) return []
    const list = sent.map(([file, bytes]) => `${file} ${kilobytes(bytes)}`).join(', ')
    return [
      `${page} sends ${kilobytes(total)} of ${kind}, ${kilobytes(budget[kind])} are agreed (${list}): load what is not seen at once lazily, and keep dialogs, menus and forms off the shell`,
    ]
  })
}

function reached(manifest: Manifest, from: string[]): Chunk[] {
  const keys = new Set<string>()
  const visit = (key: string) => {
    if (keys.has(key)) return
    keys.add(key)
    for (const next of manifest[key]?.imports ?? []) visit(next)
  }
  for (const key of from) visit(key)
  return [...keys].map((key) => manifest[key]!)
}

/** What each file weighs on the wire, largest first. */
const sizes = (names: string[]): [string, number][] =>
  names.map((file): [string, number] => [file, gzipSync(readFileSync(join(root, 'dist/client', file)), { level: 9 }).length]).sort((a, b) => b[1] - a[1])

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`
