// Builds the pages for browser and server and precompresses the browser files at the highest level.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { createBuilder } from 'vite'
import { isBuilt, sourcesHash, stampFile } from './boot/build.js'
import { withLock } from './boot/lock.js'

const root = join(import.meta.dirname, '..')
const whenStale = process.argv.includes('--when-stale')

try {
  await withLock(join(root, '.cache/build.lock'), 'Waiting for another build of the pages …', async () => {
    if (!whenStale || !isBuilt(root)) await build()
  })
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

async function build() {
  const started = Date.now()
  const hash = sourcesHash(root)
  // Removed first and written last, so that an interrupted build is repeated.
  rmSync(stampFile(root), { force: true })
  const builder = await createBuilder({
    root,
    mode: 'production',
    logLevel: 'warn',
    build: { chunkSizeWarningLimit: 2_000 },
  })
  await builder.buildApp()
  const compressed = await compress(join(root, 'dist/client'))
  writeFileSync(stampFile(root), hash)
  console.log(`Pages built in ${((Date.now() - started) / 1000).toFixed(1)} s, ${compressed} files compressed.`)
}

/** Writes `.br` and `.gz` copies of every text file that gets smaller. */
async function compress(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        /\.(js|css|svg|html|json|txt|xml|webmanifest|ico)$/.test(entry.name) &&
        !entry.parentPath.includes('.vite'),
    )
    .map((entry) => join(entry.parentPath, entry.name))
  const written = await Promise.all(files.map(compressFile))
  return written.filter(Boolean).length
}

async function compressFile(file) {
  const bytes = readFileSync(file)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  if (gz.length + 64 > bytes.length) return false
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
  return true
}
