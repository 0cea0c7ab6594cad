import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.js'

/** Runs `npm ci` unless the installed packages match the lockfile. Without `developing`, development dependencies may be missing. */
export async function installWhenNeeded(root, { developing = false } = {}) {
  if (isInstalled(root, developing)) return
  await withLock(join(root, '.cache/install.lock'), 'Waiting for another installation of the packages …', () => {
    if (!isInstalled(root, developing)) install(root, developing)
  })
}

/** Compares contents, not modification times, which a checkout or copy changes. */
function isInstalled(root, developing) {
  const hidden = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(hidden)) return false
  const wanted = packagesOf(join(root, 'package-lock.json'))
  const installed = packagesOf(hidden)
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true
    const found = installed[path]
    if (found) return found.version === entry.version && found.integrity === entry.integrity
    return Boolean(entry.optional || (!developing && (entry.dev || entry.devOptional)))
  })
}

const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages

function install(root, developing) {
  console.error('Installing the packages (once, about half a minute) …')
  const started = Date.now()
  const args = [
    'ci',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
    '--include=optional',
    ...(developing ? ['--include=dev'] : []),
  ]
  // npm sets `npm_execpath` in its scripts and runs them on its own Node.
  const npm = process.env.npm_execpath
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  const { status, error } = npm ? spawnSync(process.execPath, [npm, ...args], options) : spawnSync('npm', args, options)
  if (error) throw new Error(`npm could not be started: ${error.message}`)
  if (status !== 0) throw new Error('The packages could not be installed (npm ci failed, see above).')
  console.error(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s.`)
}
