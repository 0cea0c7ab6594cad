import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns whether a .dockerignore file excludes a path. The last pattern that matches the path or a parent folder decides. */
export function ignores(ignoreFile: string, path: string): boolean {
  let isIgnored = false
  for (const line of ignoreFile.split('\n').map((each) => each.trim())) {
    if (line === '' || line.startsWith('#')) continue
    const isException = line.startsWith('!')
    if (patternOf(isException ? line.slice(1) : line).test(path)) isIgnored = !isException
  }
  return isIgnored
}

function patternOf(glob: string): RegExp {
  const parts = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' } as Record<string, string>
  const source = glob.replaceAll(/\*\*\/|\*\*|\*|\?|[.+^${}()|[\]\\]/g, (found) => parts[found] ?? `\\${found}`)
  return new RegExp(`^${source}(?:/.*)?$`)
}

/** Returns the files in `root` that the COPY instructions of a Dockerfile copy into the image, given its ignore file. */
export function imageFiles(root: string, dockerfile: string, ignoreFile: string): string[] {
  const wanted = Array.from(dockerfile.matchAll(/^COPY (?!--from)(?:--\S+ )*(.+) \S+$/gm), ([, files]) =>
    files!.split(' '),
  ).flat()
  const all = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  return all.filter(
    (file) =>
      wanted.some((each) => each === '.' || file === each || file.startsWith(`${each}/`)) && !ignores(ignoreFile, file),
  )
}

export const readText = (root: string, file: string): string => readFileSync(join(root, file), 'utf8')
