import { test as base } from '../test/harness/browser.ts'
import { lineupRestorer } from '../test/harness/restore-lineup.ts'

/**
 * The `test` function for specs that change the lineup, rights or listings. The original lineup is restored after each test, so these specs need no app of
 * their own.
 */
export const test = base.extend<{ lineup: undefined }>({
  lineup: [
    async ({ installation }, use) => {
      const restore = await lineupRestorer(installation)
      await use(undefined)
      await restore()
    },
    { auto: true },
  ],
})
