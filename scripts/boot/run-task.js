// What every npm script does: installs what the lockfile names and hands over to the Node the project pins. Scripts before and after others
// (`prestart`) would not run, since .npmrc switches all install and life-cycle scripts off.
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { buildWhenStale, isBuilt } from './build.js'
import { installWhenNeeded } from './install.js'
import { pinnedNode, serverFlags } from './node.js'
import { follow } from './signals.js'

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
  'test:watch': { developing: true, run: [vitest, '--project=unit', '--project=integration'] },
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
  licences: { run: ['scripts/licences.ts'] },
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
  // Pages that are there need nothing of what they are made with.
  await installWhenNeeded(root, { developing: task.developing || (task.built && !isBuilt(root)) })
  const node = pinnedNode(root)
  const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  // Compiled code is kept between starts: a quarter of the time to the first page.
  const env = { NODE_COMPILE_CACHE: join(root, '.cache/node'), ...process.env, ...task.env, PATH: path }
  if (task.built) buildWhenStale(root, node, env)
  // The fourth channel says nothing: it closes when this process is gone, and the task then ends too (boot/lifeline.js).
  const lifeline = new URL('./lifeline.js', import.meta.url).href
  const [other, ...further] = rest
  const run = Object.hasOwn(task.others ?? {}, other) ? [...task.others[other], ...further] : [...task.run, ...rest]
  const child = spawn(node, [...(task.flags ?? []), '--import', lifeline, ...run], {
    cwd: root,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  })
  follow(child)
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
