import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { query, useSend } from '#web/data.ts'
import { useOpened } from '#web/ui/use-opened.ts'
import { type AdminFaq, listAllFaqs, listFaqs, moveFaq, updateFaq } from '../contract.ts'
import { AdminEntries } from './admin-entries.tsx'
import { AdminEntryRow } from './admin-entry-row.tsx'
import { useHiding } from './use-hiding.ts'
import { useMoving } from './use-moving.ts'

const AdminFaqDialog = lazy(() =>
  import('./admin-faq-dialog.tsx').then((module) => ({ default: module.AdminFaqDialog })),
)

/** The FAQs tab of the catalogue: questions and answers in the operator's order. */
export function AdminFaqsPanel() {
  const client = useQueryClient()
  const list = useQuery(query(listAllFaqs))
  const [managed, manage] = useOpened<AdminFaq | null>('entries-add')
  const update = useSend(updateFaq, [listAllFaqs, listFaqs])
  const move = useSend(moveFaq, [listFaqs])
  const hiding = useHiding('Question', (entry: AdminFaq) => {
    const { id, version, hidden, question, answer } = entry
    return {
      name: question,
      send: () => update.mutateAsync({ params: { faqId: id }, body: { version, question, answer, hidden: !hidden } }),
    }
  })
  const moving = useMoving(async (id, way) => {
    const now = await move.mutateAsync({ params: { faqId: id }, body: { move: way } })
    client.setQueryData(query(listAllFaqs).queryKey, now)
    return now
  })

  return (
    <>
      <AdminEntries
        title="FAQs"
        addLabel="Add Question"
        onAdd={(button) => manage(null, button)}
        hint="Visitors read them in this order. The arrows move a question, and so does Alt with an arrow key."
        empty="No questions yet."
        result={list}
      >
        {(all) => (
          <ul className="entries">
            {all.map((faq, index) => (
              <AdminEntryRow
                key={faq.id}
                name={faq.question}
                hidden={faq.hidden}
                detail={faq.answer}
                pending={hiding.pending === faq.id}
                onEdit={(button) => manage(faq, button)}
                onHide={() => void hiding.toggle(faq)}
                place={{
                  id: `entry-${faq.id}`,
                  isFirst: index === 0,
                  isLast: index === all.length - 1,
                  onMove: (way) => moving(faq.id, way),
                }}
              />
            ))}
          </ul>
        )}
      </AdminEntries>
      <Suspense>
        {managed && <AdminFaqDialog key={managed.turn} faq={managed.about} returnTo={managed.returnTo} />}
      </Suspense>
    </>
  )
}
