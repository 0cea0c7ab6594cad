import { spawn } from 'node:child_process'
import type { Check } from './check.ts'
import { root } from './tree.ts'

/** A check that runs another program and reports its output if it fails. */
const tool = (name: string, command: string, args: string[]): Check => ({
  name,
  run: async () => {
    const { code, output } = await collect(command, args)
    return code === 0 ? [] : [output.trim() || `${command} ended with ${code}`]
  },
})

// By default tsc uses four threads. Each computes the shared types again, which doubles the processor time.
const typeCheck = ['--checkers', '1', '-p']

export const toolChecks: Check[] = [
  tool('server code type-checks without DOM types', 'tsc', [...typeCheck, 'tsconfig.server.json']),
  tool('page code type-checks without Node types', 'tsc', [...typeCheck, 'tsconfig.web.json']),
  tool('browser tests type-check', 'tsc', [...typeCheck, 'tsconfig.e2e.json']),
  tool('Biome reports no problem and no formatting change', 'biome', [
    'check',
    '--error-on-warnings',
    '--diagnostic-level=warn',
    '--max-diagnostics=30',
    '.',
  ]),
  tool('knip finds nothing unused or unlisted', 'knip', ['--no-progress']),
]

function collect(command: string, args: string[]): Promise<{ code: number | null; output: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number | null; output: string }>()
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  })
  let output = ''
  const append = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', append)
  child.stderr.on('data', append)
  child.on('error', reject)
  child.on('close', (code) => resolve({ code, output }))
  return promise
}
