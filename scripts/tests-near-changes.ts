import { spawnSync } from 'node:child_process'
import { testProjects } from '../test/harness/test-projects.ts'
import { root } from './checks/tree.ts'

/**
 * Returns the integration tests that are changed, or that are in the feature or server folder of a changed file. A file
 * counts as changed if it differs from the commit at which this branch diverged from `main`, or if it is uncommitted or new.
 */
export function testsNearChanges(): string[] {
  const changed = changedFiles()
  const folders = new Set(changed.flatMap((file) => /^src\/(features|server)\/[^/]+\//.exec(file)?.[0] ?? []))
  return testProjects().integration.filter(
    (test) => changed.includes(test) || [...folders].some((folder) => test.startsWith(folder)),
  )
}

function changedFiles(): string[] {
  const base = git('merge-base', 'HEAD', 'main')[0] ?? git('merge-base', 'HEAD', 'origin/main')[0] ?? 'HEAD'
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]
}

/** Returns the lines that a git command prints; none if the command fails. */
function git(...args: string[]): string[] {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.split('\n').filter(Boolean) : []
}
