import { read } from '../checks/tree.ts'

/** A scanner's finding at a path. */
export type Finding = { tool: string; what: string; where: string }
type ExplainedFinding = { tool: string; finding: string; reason: string }

const explained = (JSON.parse(read('security/triage.json')) as { judged: ExplainedFinding[] }).judged
const textOf = ({ what, where }: Finding) => `${what} ${where}`

/** The findings that `security/triage.json` does not explain. */
export const untriaged = (findings: Finding[]): Finding[] =>
  findings.filter(
    (finding) =>
      !explained.some(
        ({ tool, finding: known }) => tool === finding.tool && new RegExp(`^(?:${known})$`).test(textOf(finding)),
      ),
  )
