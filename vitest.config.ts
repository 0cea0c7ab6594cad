import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/harness/longest-first.ts'
import { memoryFolder } from './test/harness/memory-folder.ts'
import { isFullSize } from './test/harness/scale.ts'
import { testProjects } from './test/harness/test-projects.ts'

// Databases and data folders are created below it.
process.env.TMPDIR ??= memoryFolder() ?? tmpdir()

process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.cache/node')

const { unit, pages, integration, proof } = testProjects()
const globalSetup = 'test/harness/global-database.ts'
// A test that hangs must end, but a slow machine is no failure.
const patience = {
  testTimeout: isFullSize ? 120_000 : 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
} as const
// Files share their worker's modules: importing the product again for each file costs more than most files do.
const shared = { environment: 'node', isolate: false, ...patience } as const

// Node loads the modules, as it loads the product. Vite would first transform each of them, which a fresh clone has no cache of.
const native = { ...shared, experimental: { viteModuleRunner: false, nodeLoader: false } } as const

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than the cores of the smallest machine: a third of the time of a proof is spent waiting.
    maxWorkers: 3,
    // Without it, each worker parses drizzle's package.json for each of its modules.
    execArgv: ['--import', new URL('src/server/known-modules.ts', import.meta.url).href],
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...native, name: 'unit', include: unit } },
      { test: { ...shared, name: 'pages', include: pages } },
      // One project: the files of a worker share the modules of the product, which are loaded once.
      { test: { ...native, name: 'integration', include: [...integration, ...proof], globalSetup } },
    ],
  },
})
