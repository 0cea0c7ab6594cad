import { test as base } from '../test/harness/browser.ts'
import { lineupRestorer } from '../test/harness/restore-lineup.ts'

/** A browser test that changes the lineup, rights or listings. It ends with the lineup of its beginning, so that its spec needs no app of its own. */
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
