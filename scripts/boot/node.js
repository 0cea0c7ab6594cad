import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What Node is told when it serves. Left alone, V8 lets the space of young objects grow to 64 MB and twice that while it moves
 * them: 130 MB for what is garbage a moment later. And it is asked to collect after an overload (`server/admission.ts`).
 * What `NODE_OPTIONS` refuses is told in `src/main.ts`.
 */
export const serverFlags = ['--max-semi-space-size=16', '--expose-gc']

/** The Node everything runs on: the one that came with the packages, else this one when it is new enough. Throws a sentence for people. */
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
