import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listFaqs } from '#features/catalog/contract.ts'
import { FaqList } from '#features/catalog/web/faq-list.tsx'
import { query } from '../data.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'

export function FaqPage() {
  const { data: faqs } = useSuspenseQuery(query(listFaqs))
  return (
    <div className="wrap page page-text">
      <PageHeader
        title="Frequently Asked Questions"
        lead="Short answers to common questions before and after you subscribe."
      />
      <h2 className="sr-only">Questions and answers</h2>
      {faqs.length > 0 ? (
        <FaqList faqs={faqs} />
      ) : (
        <EmptyState title="No questions yet">Ask us anything: we read every message.</EmptyState>
      )}
      <p className="mt-8 text-lg">
        Still have questions?{' '}
        <Link to="/contact" className="link">
          Contact Support
        </Link>
      </p>
    </div>
  )
}
