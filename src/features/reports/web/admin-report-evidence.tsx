import { useQuery } from '@tanstack/react-query'
import { getReportEvidence } from '#features/self-check/admin-contract.ts'
import { evidenceRows } from '#features/self-check/evidence-rules.ts'
import { query } from '#web/data.ts'
import { DetailLine } from '#web/ui/detail-line.tsx'

/** The measurements of the author's self-check. Renders nothing for a report without a self-check. */
export function AdminReportEvidence({ reportId }: { reportId: number }) {
  const { data: evidence } = useQuery(query(getReportEvidence, { params: { reportId } }))
  if (!evidence) return null
  return (
    <section aria-labelledby="report-evidence">
      <h3 id="report-evidence" className="mb-2 text-base">
        Self-check
      </h3>
      <dl className="details">
        {evidenceRows(evidence).map(([label, value]) => (
          <DetailLine key={label} label={label}>
            {value}
          </DetailLine>
        ))}
      </dl>
    </section>
  )
}
