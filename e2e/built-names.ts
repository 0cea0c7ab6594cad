import { readFileSync } from 'node:fs'

type Manifest = Record<string, { file: string; name?: string }>

/** Maps the built files, which are named by a content hash, to the names of their sources. */
export function builtNames(): Map<string, string> {
  const manifest = JSON.parse(
    readFileSync(new URL('../dist/client/.vite/manifest.json', import.meta.url), 'utf8'),
  ) as Manifest
  return new Map(Object.values(manifest).map(({ file, name = '' }) => [`/${file}`, name]))
}
