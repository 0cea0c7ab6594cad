// Runs an npm script: installs the packages of the lockfile and starts the task with the project's Node. It replaces `prestart` scripts,
// because .npmrc disables all install and life-cycle scripts.
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { buildWhenStale, isBuilt } from './build.js'
import { installWhenNeeded } from './install.js'
import { pinnedNode, serverFlags } from './node.js'
import { forwardSignals } from './signals.js'

const root = join(import.meta.dirname, '../..')
const vitest = 'node_modules/vitest/vitest.mjs'
const tasks = {
  start: { built: true, flags: serverFlags, run: ['src/main.ts'] },
  dev: { developing: true, run: ['scripts/dev.ts'], env: { NODE_ENV: 'development' } },
  build: { developing: true, run: ['scripts/build.js'] },
  cli: { run: ['src/cli.ts'] },
  check: { developing: true, run: ['scripts/check.ts'] },
  quick: { developing: true, run: ['scripts/test.ts', 'quick'] },
  test: { developing: true, run: ['scripts/test.ts'] },
  proof: { developing: true, run: ['scripts/test.ts', 'proof'] },
  'test:watch': { developing: true, run: [vitest, '--project=unit', '--project=pages', '--project=integration'] },
  torture: {
    developing: true,
    built: true,
    run: ['scripts/torture.ts'],
    others: {
      mutants: ['scripts/mutants.ts'],
      scan: ['scripts/scan.ts'],
      supply: ['scripts/supply.ts'],
      timing: ['scripts/login-timing.ts'],
    },
  },
  'payment-fixtures': { developing: true, run: ['scripts/payment-fixtures.ts'] },
  licenses: { run: ['scripts/licenses.ts'] },
  bench: {
    developing: true,
    built: true,
    run: ['bench/run.ts'],
    others: {
      processes: ['bench/cores.ts'],
      presence: ['bench/presence.ts'],
      panel: ['bench/panel.ts'],
      lists: ['bench/lists.ts'],
      work: ['bench/work.ts'],
      growth: ['bench/growth.ts'],
      payments: ['bench/payments.ts'],
      mailbox: ['bench/mailbox.ts'],
      imports: ['bench/imports.ts'],
      moves: ['bench/moves.ts'],
      guide: ['bench/guide.ts'],
      watch: ['bench/watch.ts'],
    },
  },
}

const [name, ...rest] = process.argv.slice(2)
const task = Object.hasOwn(tasks, name ?? '') ? tasks[name] : undefined
if (!task) {
  console.error(`Usage: node scripts/run.js <${Object.keys(tasks).join('|')}>`)
  process.exit(2)
}

try {
  // If the pages are already built, development dependencies are not needed.
  await installWhenNeeded(root, { developing: task.developing || (task.built && !isBuilt(root)) })
  const node = pinnedNode(root)
  const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  // Caches compiled code between starts, which saves a quarter of the time to the first page.
  const env = { NODE_COMPILE_CACHE: join(root, '.cache/node'), ...process.env, ...task.env, PATH: path }
  if (task.built) buildWhenStale(root, node, env)
  // File descriptor 3 carries no data: it closes when this process ends, and the task then ends too (boot/lifeline.js).
  const lifeline = new URL('./lifeline.js', import.meta.url).href
  const [other, ...further] = rest
  const run = Object.hasOwn(task.others ?? {}, other) ? [...task.others[other], ...further] : [...task.run, ...rest]
  const child = spawn(node, [...(task.flags ?? []), '--import', lifeline, ...run], {
    cwd: root,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  })
  forwardSignals(child)
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
