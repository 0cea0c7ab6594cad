import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Node flags for serving. By default V8's young generation grows to 64 MB and needs twice that during a collection. `--expose-gc` is for
 * collections after an overload (`server/overload/admission.ts`) and of relayed buffers (`server/outbound/count-buffer.ts`). Flags that NODE_OPTIONS
 * does not allow are set in `src/main.ts`.
 */
export const serverFlags = ['--max-semi-space-size=16', '--expose-gc']

/** Returns the path of the Node to run: the packaged Node, or the running Node if it is new enough. Throws with a message for the user. */
export function pinnedNode(root) {
  const packaged = join(root, 'node_modules/.bin/node')
  if (existsSync(packaged) && spawnSync(packaged, ['--version']).status === 0) return packaged
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const needed = engines.node.replace('>=', '')
  if (atLeast(process.versions.node, needed)) return process.execPath
  throw new Error(
    `This project needs Node ${needed} or newer; this is ${process.versions.node} (${process.platform} ${process.arch}).\n` +
      'On Linux with glibc it comes with the packages (run `npm ci` without --omit=optional); elsewhere install it from https://nodejs.org.',
  )
}

function atLeast(version, needed) {
  const [major, minor] = version.split('.').map(Number)
  const [neededMajor, neededMinor] = needed.split('.').map(Number)
  return major > neededMajor || (major === neededMajor && minor >= neededMinor)
}
