import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const stampFile = (root) => join(root, 'dist/.stamp')

/** Builds the pages unless `dist` was built from exactly these sources. Throws if the build fails. */
export function buildWhenStale(root, node, env) {
  if (isBuilt(root)) return
  const { status } = spawnSync(node, ['scripts/build.js', '--when-stale'], { cwd: root, env, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('The pages could not be built (see above).')
}

export const isBuilt = (root) =>
  existsSync(stampFile(root)) && readFileSync(stampFile(root), 'utf8') === sourcesHash(root)

/** SHA-256 of all inputs of the page bundle. Pages cannot import `server/`, so changes there need no build. */
export function sourcesHash(root) {
  const hash = createHash('sha256')
  const folders = ['src', 'public', 'scripts/vite']
  const files = [
    'package-lock.json',
    'vite.config.ts',
    'scripts/build.js',
    ...folders.flatMap((folder) => filesBelow(root, folder)),
  ]
  for (const file of files.sort()) {
    if (!/\.test\.tsx?$/.test(file) && !/^src\/(features\/[^/]+\/)?server\//.test(file))
      hash
        .update(`${file}\0`)
        .update(readFileSync(join(root, file)))
        .update('\0')
  }
  return hash.digest('hex')
}

function filesBelow(root, folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
}
