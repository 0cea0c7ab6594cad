import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { query, useSend } from '#web/data.ts'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { type AdminFaq, listAllFaqs, moveFaq, updateFaq } from '../../admin-contract.ts'
import { listFaqs } from '../../contract.ts'
import { AdminEntries } from './admin-entries.tsx'
import { AdminEntryRow } from './admin-entry-row.tsx'
import { useReorder } from './use-reorder.ts'
import { useToggleHidden } from './use-toggle-hidden.ts'

const AdminFaqDialog = lazy(() =>
  import('./admin-faq-dialog.tsx').then((module) => ({ default: module.AdminFaqDialog })),
)

/** The FAQs tab of the catalog: questions and answers by position. */
export function AdminFaqsTab() {
  const client = useQueryClient()
  const list = useQuery(query(listAllFaqs))
  const [managed, manage] = useOpenDialog<AdminFaq | null>('entries-add')
  const update = useSend(updateFaq, [listAllFaqs, listFaqs])
  const move = useSend(moveFaq, [listFaqs])
  const hiding = useToggleHidden('Question', (entry: AdminFaq) => {
    const { id, version, hidden, question, answer } = entry
    return {
      name: question,
      send: () => update.mutateAsync({ params: { faqId: id }, body: { version, question, answer, hidden: !hidden } }),
    }
  })
  const moving = useReorder(async (id, direction) => {
    const now = await move.mutateAsync({ params: { faqId: id }, body: { move: direction } })
    client.setQueryData(query(listAllFaqs).queryKey, now)
    return now
  })

  return (
    <>
      <AdminEntries
        title="FAQs"
        addLabel="Add Question"
        onAdd={(button) => manage(null, button)}
        hint="Visitors read them in this order. Move a question with the arrow buttons, or with Alt and an arrow key."
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
                position={{
                  id: `entry-${faq.id}`,
                  isFirst: index === 0,
                  isLast: index === all.length - 1,
                  onMove: (direction) => moving(faq.id, direction),
                }}
              />
            ))}
          </ul>
        )}
      </AdminEntries>
      <Suspense>
        {managed && <AdminFaqDialog key={managed.openCount} faq={managed.subject} returnTo={managed.returnTo} />}
      </Suspense>
    </>
  )
}
