import { useSuspenseQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { query } from '#web/data.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { getLegalText, type LegalDocument } from '../contract.ts'
import { legalTitles } from '../rules.ts'
import { LegalProse } from './legal-prose.tsx'

/** The legal text with the name in the path of the page. */
export function LegalPage() {
  const document = useLocation({ select: ({ pathname }) => pathname.slice(1) as LegalDocument })
  const { data } = useSuspenseQuery(query(getLegalText, { params: { document } }))
  return (
    <div className="wrap page page-text">
      <PageHeader title={legalTitles[document]} />
      <LegalProse text={data.text} />
    </div>
  )
}
