import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from '../../scripts/checks/tree.ts'

/**
 * Returns the rank of a file: proofs first, then other integration tests, then unit tests. The files of all projects are one list; otherwise workers would be
 * idle at the end of each project.
 */
const kind = ({ moduleId, project }: TestSpecification) =>
  relative(root, moduleId).startsWith('test/proof/') ? 0 : project.name === 'integration' ? 1 : 2

/** Runs the proofs first, and the long files of each kind before its short ones, so that the last files of a run are short. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => kind(a) - kind(b) || rank(a.moduleId) - rank(b.moduleId))
  }
}

/** The wall time in seconds of the files that take longest, on two idle cores. Vitest orders all others by their last duration or their size. */
const seconds: Record<string, number> = {
  'test/proof/full-size/list-plans.test.ts': 54,
  'test/proof/backup.test.ts': 36,
  'test/proof/start-errors.test.ts': 20,
  'test/proof/line-crash.test.ts': 18,
  'test/proof/fuzz.test.ts': 18,
  'test/proof/move-crash.test.ts': 12,
  'test/proof/import-crash.test.ts': 10,
  'test/proof/sockets.test.ts': 15,
  'test/proof/rotate-key.test.ts': 15,
  'test/integration/access.test.ts': 46,
  'src/features/provisioning/panel-faults.test.ts': 15,
  'src/server/postgres/embedded.test.ts': 14,
  'src/features/accounts/password-reset.test.ts': 9,
  'src/features/iptv/login-check.test.ts': 12,
}

const rank = (path: string) => -(seconds[relative(root, path)] ?? 0)
