import { read } from '../checks/tree.ts'

/** What a scanner says of an address of ours. */
export type Finding = { tool: string; what: string; where: string }
type Judged = { tool: string; finding: string; reason: string }

const judged = (JSON.parse(read('security/triage.json')) as { judged: Judged[] }).judged
const said = ({ what, where }: Finding) => `${what} ${where}`

/** Findings that nobody has looked at yet: `security/triage.json` says of the others why they are none. */
export const untriaged = (findings: Finding[]): Finding[] =>
  findings.filter(
    (finding) =>
      !judged.some(
        ({ tool, finding: known }) => tool === finding.tool && new RegExp(`^(?:${known})$`).test(said(finding)),
      ),
  )
