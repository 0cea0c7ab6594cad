import { defineConfig } from 'vitest/config'
import { isFullSize } from './test/harness/scale.ts'
import { testProjects } from './test/harness/test-projects.ts'

const { unit, integration, proof } = testProjects()
const globalSetup = 'test/harness/global-database.ts'
const shared = { environment: 'node', testTimeout: 20_000, hookTimeout: 20_000 } as const

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      // Files share their worker's modules: importing the product again for each file costs more than most files do.
      { test: { ...shared, name: 'unit', include: unit, isolate: false, sequence: { groupOrder: 0 } } },
      {
        test: {
          ...shared,
          name: 'integration',
          include: integration,
          globalSetup,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      // Proofs change process-wide state and measure memory: each file has a process of its own.
      {
        test: {
          ...shared,
          name: 'proof',
          include: proof,
          globalSetup,
          testTimeout: isFullSize ? 60_000 : 30_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
