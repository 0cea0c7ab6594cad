import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/harness/folders.ts'

const scripts = join(import.meta.dirname, '..')
const lockfile = (version: string) =>
  JSON.stringify({ packages: { '': {}, 'node_modules/part': { version, integrity: 'sha512-x' } } })

/** A minimal project with `scripts/run.js`, `scripts/boot` and this task as `scripts/build.js`. */
function project(task: string): string {
  const root = temporaryFolder()
  for (const folder of ['scripts', 'src', 'node_modules']) mkdirSync(join(root, folder))
  for (const part of ['run.js', 'boot']) cpSync(join(scripts, part), join(root, 'scripts', part), { recursive: true })
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module', engines: { node: '>=24.18' } }))
  writeFileSync(join(root, 'package-lock.json'), lockfile('1.0.0'))
  writeFileSync(join(root, 'node_modules/.package-lock.json'), lockfile('1.0.0'))
  writeFileSync(join(root, 'scripts/build.js'), task)
  return root
}

function run(root: string, { args = [], env = {} }: { args?: string[]; env?: Record<string, string> } = {}) {
  const { npm_execpath: _npm, npm_lifecycle_event: _event, ...rest } = process.env
  const child = spawn(process.execPath, ['scripts/run.js', 'build', ...args], {
    cwd: root,
    env: { ...rest, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const said: string[] = []
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  const closed = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  return { child, closed, said: () => said.join('') }
}

const saysUp = (child: ChildProcess) => new Promise<void>((resolve) => child.stdout!.once('data', () => resolve()))

test('arguments are passed to the task, and its exit code is returned', async () => {
  const { closed, said } = run(project('console.log(process.argv.slice(2).join()); process.exitCode = 7'), {
    args: ['admin', '--name=a b'],
  })
  expect(await closed).toBe(7)
  expect(said()).toBe('admin,--name=a b\n')
})

const waiting =
  "process.on('SIGTERM', () => { console.log('told'); setTimeout(() => process.exit(3), 500) }); setInterval(() => {}, 1000); console.log('up')"

test('a signal sent twice in quick succession reaches the task once', async () => {
  const { child, closed, said } = run(project(waiting))
  await saysUp(child)
  child.kill('SIGTERM')
  child.kill('SIGTERM')
  expect(await closed).toBe(3)
  expect(said()).toBe('up\ntold\n')
})

test('the task ends when run.js is killed with SIGKILL', async () => {
  const { child, closed, said } = run(project(waiting))
  await saysUp(child)
  child.kill('SIGKILL')
  // The task inherited the output pipe, so this resolves when the task has ended.
  await closed
  expect(said()).toBe('up\ntold\n')
})

test('two concurrent runs install once, and a later run does not install again', async () => {
  const root = project("console.log('ran')")
  writeFileSync(join(root, 'package-lock.json'), lockfile('2.0.0'))
  const npm = join(root, 'npm.js')
  writeFileSync(
    npm,
    "import { appendFileSync, copyFileSync } from 'node:fs'; appendFileSync('installs', 'x'); await new Promise((r) => setTimeout(r, 300)); copyFileSync('package-lock.json', 'node_modules/.package-lock.json')",
  )
  const both = [run(root, { env: { npm_execpath: npm } }), run(root, { env: { npm_execpath: npm } })]
  expect(await Promise.all(both.map((each) => each.closed))).toEqual([0, 0])
  expect(await run(root, { env: { npm_execpath: npm } }).closed).toBe(0)
  expect(readFileSync(join(root, 'installs'), 'utf8')).toBe('x')
})

test('a lock left by a killed installation is taken over', async () => {
  const root = project('')
  writeFileSync(join(root, 'package-lock.json'), lockfile('2.0.0'))
  writeFileSync(
    join(root, 'npm.js'),
    "import { copyFileSync } from 'node:fs'; copyFileSync('package-lock.json', 'node_modules/.package-lock.json')",
  )
  mkdirSync(join(root, '.cache'))
  const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await new Promise((resolve) => gone.once('exit', resolve))
  writeFileSync(join(root, '.cache/install.lock'), String(gone.pid))
  expect(await run(root, { env: { npm_execpath: join(root, 'npm.js') } }).closed).toBe(0)
})

test.each(['14.21.3', '18.20.8', '20.10.0'])('Node %s is refused with one message', (version) => {
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(older)}`, join(scripts, 'run.js'), 'check'],
    {
      encoding: 'utf8',
    },
  )
  expect([status, stderr]).toEqual([
    1,
    `This project needs Node 20.11 or newer to begin with; this is Node ${version}. Install a newer one from https://nodejs.org.\n`,
  ])
})
