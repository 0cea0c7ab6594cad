import { spawn } from 'node:child_process'
import type { Check } from './check.ts'
import { root } from './tree.ts'

/** A check that is another program; what it says is the complaint. */
const tool = (name: string, command: string, args: string[]): Check => ({
  name,
  run: async () => {
    const { code, output } = await collect(command, args)
    return code === 0 ? [] : [output.trim() || `${command} ended with ${code}`]
  },
})

export const toolChecks: Check[] = [
  tool('the server’s types fit, without a browser’s', 'tsc', ['-p', 'tsconfig.server.json']),
  tool('the pages’ types fit, without Node’s', 'tsc', ['-p', 'tsconfig.web.json']),
  tool('the journeys’ types fit', 'tsc', ['-p', 'tsconfig.e2e.json']),
  tool('Biome finds nothing and would change nothing', 'biome', [
    'check',
    '--error-on-warnings',
    '--diagnostic-level=warn',
    '--max-diagnostics=30',
    '.',
  ]),
  tool('knip finds nothing unused and nothing unlisted', 'knip', ['--no-progress']),
]

function collect(command: string, args: string[]): Promise<{ code: number | null; output: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number | null; output: string }>()
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  })
  let output = ''
  const hear = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  child.on('error', reject)
  child.on('close', (code) => resolve({ code, output }))
  return promise
}
