import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from '../../scripts/checks/tree.ts'

/** In this order: a project that runs to its end before the next begins would leave a worker without work at each change. */
const projects = ['proof', 'integration', 'unit']

/** Runs the proofs first, and the long files of each project before its short ones, so that the last files of a run are short. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort(
      (a, b) =>
        projects.indexOf(a.project.name) - projects.indexOf(b.project.name) || rank(a.moduleId) - rank(b.moduleId),
    )
  }
}

/** The files that take longest, in seconds of wall time on two idle cores. The order of all others is Vitest's: by their last duration or by size. */
const seconds: Record<string, number> = {}

const rank = (path: string) => -(seconds[relative(root, path)] ?? 0)
