import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importsOf } from '../../scripts/checks/imports.ts'
import { root } from '../../scripts/checks/tree.ts'
import { isFullSize } from './scale.ts'

export type TestProjects = Record<'unit' | 'pages' | 'integration' | 'proof', string[]>

/** Files that a unit test must not import: they start a test database or child processes of the app. */
const outside = ['test/harness/database.ts', 'test/harness/running-app.ts', 'src/server/postgres/embedded.ts']

/**
 * Every Vitest file, by what it needs. Files in `test/proof/` are proofs. Of the other files, one that imports a database or a running
 * process, directly or not, is an integration test; the rest are unit tests and run without PostgreSQL. Unit tests of components, and those that
 * replace or reset modules, are in `pages`, because Vite must load their modules instead of Node. Proofs in `test/proof/full-size/` only run at
 * full size.
 */
export function testProjects(): TestProjects {
  const projects: TestProjects = { unit: [], pages: [], integration: [], proof: [] }
  const tests = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'], { cwd: root }).sort()
  for (const test of tests) {
    if (test.startsWith('test/proof/full-size/') && !isFullSize) continue
    if (test.startsWith('test/proof/')) projects.proof.push(test)
    else
      projects[
        outside.some((file) => reachedFrom(test).has(file)) ? 'integration' : needsVite(test) ? 'pages' : 'unit'
      ].push(test)
  }
  return projects
}

function needsVite(test: string): boolean {
  const replacesModules = /\bvi\.(mock|resetModules)\(/.test(readFileSync(join(root, test), 'utf8'))
  return replacesModules || [...reachedFrom(test)].some((file) => file.endsWith('.tsx'))
}

/** Returns a file and the project files that it imports, directly or not. Type-only imports do not count. */
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
