import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Check } from './check.ts'
import { root } from './tree.ts'

const budget = { js: 135_000, css: 15_000 }
const page = 'src/web/pages/home-page.tsx'

type Chunk = { file: string; isEntry?: boolean; imports?: string[]; css?: string[] }

export const bundleCheck: Check = {
  name: 'home sends at most 135 kB of script and 15 kB of style, gzipped',
  run: () => {
    const built = spawnSync(process.execPath, ['scripts/build.js', '--when-stale'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
    })
    if (built.status !== 0) return [`the pages cannot be built\n${built.stderr || built.stdout}`]
    const manifest = JSON.parse(readFileSync(join(root, 'dist/client/.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
    const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry)
    if (!entry || !manifest[page]) return [`the manifest of the build lists no ${entry ? page : 'entry'}`]
    const chunks = reached(manifest, [entry, page])
    const sent = {
      js: sizes(chunks.map((chunk) => chunk.file).filter((file) => file.endsWith('.js'))),
      css: sizes([...chunks.flatMap((chunk) => chunk.css ?? []), ...chunks.map((chunk) => chunk.file).filter((file) => file.endsWith('.css'))]),
    }
    return (['js', 'css'] as const).flatMap((kind) => {
      const total = sent[kind].reduce((sum, [, bytes]) => sum + bytes, 0)
      if (total <= budget[kind]) return []
      const list = sent[kind].map(([file, bytes]) => `${file} ${kilobytes(bytes)}`).join(', ')
      return [
        `home sends ${kilobytes(total)} of ${kind}, ${kilobytes(budget[kind])} are agreed (${list}): load what is not seen at once lazily, and keep dialogs, menus and forms off the shell`,
      ]
    })
  },
}

function reached(manifest: Record<string, Chunk>, from: string[]): Chunk[] {
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
  [...new Set(names)]
    .map((file): [string, number] => [file, gzipSync(readFileSync(join(root, 'dist/client', file)), { level: 9 }).length])
    .sort((a, b) => b[1] - a[1])

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`
