import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importsOf } from '../../scripts/checks/imports.ts'
import { root } from '../../scripts/checks/tree.ts'

export type TestProjects = Record<'unit' | 'integration' | 'proof', string[]>

/** What a unit test must not reach: the database of a test run, and processes of our own. */
const outside = ['test/harness/database.ts', 'test/harness/running-app.ts', 'src/server/postgres/embedded.ts']

/**
 * Every Vitest file, by what it needs. `test/proof/` is the proof project. Of the other files, one that imports a database or a running
 * process, directly or not, is an integration test; the rest are unit tests and run without PostgreSQL.
 */
export function testProjects(): TestProjects {
  const projects: TestProjects = { unit: [], integration: [], proof: [] }
  const tests = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'], { cwd: root }).sort()
  for (const test of tests) {
    if (test.startsWith('test/proof/')) projects.proof.push(test)
    else projects[outside.some((file) => reachedFrom(test).has(file)) ? 'integration' : 'unit'].push(test)
  }
  return projects
}

/** The files of ours that a file imports, directly or not, and the file itself. Types alone do not count. */
export function reachedFrom(file: string): Set<string> {
  const reached = new Set([file])
  for (const from of reached) for (const to of importedBy(from)) reached.add(to)
  return reached
}

const imported = new Map<string, string[]>()

function importedBy(file: string): string[] {
  let found = imported.get(file)
  if (!found) {
    const path = join(root, file)
    const imports = /\.tsx?$/.test(file) && existsSync(path) ? importsOf(file, readFileSync(path, 'utf8')) : []
    found = imports.flatMap(({ to, typeOnly }) => (to && !typeOnly ? [to] : []))
    imported.set(file, found)
  }
  return found
}
