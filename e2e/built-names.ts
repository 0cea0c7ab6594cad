import { readFileSync } from 'node:fs'

type Manifest = Record<string, { file: string; name?: string }>

/** What the files of the built pages are called in their sources: a file itself is named by its content alone. */
export function builtNames(): Map<string, string> {
  const manifest = JSON.parse(
    readFileSync(new URL('../dist/client/.vite/manifest.json', import.meta.url), 'utf8'),
  ) as Manifest
  return new Map(Object.values(manifest).map(({ file, name = '' }) => [`/${file}`, name]))
}
