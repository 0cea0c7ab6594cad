import { useQueryClient } from '@tanstack/react-query'
import { query, useSend } from '#web/data.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { type AdminFaq, createFaq, deleteFaq, listAllFaqs, newFaq, updateFaq } from '../../admin-contract.ts'
import { listFaqs } from '../../contract.ts'
import { AdminEntryDialog } from './admin-entry-dialog.tsx'
import { useEntryForm } from './use-entry-form.ts'

export function AdminFaqDialog({ faq, returnTo }: { faq: AdminFaq | null; returnTo: () => HTMLElement | null }) {
  const client = useQueryClient()
  const create = useSend(createFaq, [listAllFaqs, listFaqs])
  const update = useSend(updateFaq, [listAllFaqs, listFaqs])
  const remove = useSend(deleteFaq, [listAllFaqs, listFaqs])
  const entry = useEntryForm({
    noun: 'question',
    nameOf: ({ question }: AdminFaq) => question,
    schema: newFaq,
    fields: ['question', 'answer', 'hidden'],
    entry: faq,
    valuesOf: (now) => ({ question: now?.question ?? '', answer: now?.answer ?? '', hidden: now?.hidden ?? false }),
    create: (body) => create.mutateAsync({ body }),
    update: ({ id, version }, values) => update.mutateAsync({ params: { faqId: id }, body: { ...values, version } }),
    remove: ({ id, version }) => remove.mutateAsync({ params: { faqId: id }, query: { version } }),
    reload: async ({ id }) =>
      (await client.fetchQuery({ ...query(listAllFaqs), staleTime: 0 })).find((each) => each.id === id),
  })
  const { form } = entry
  return (
    <AdminEntryDialog entry={entry} returnTo={returnTo} description="Shown on the home page and the FAQ page.">
      <form id={entry.formId} noValidate className="grid gap-5" onSubmit={entry.submit}>
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <Field label="Question" {...form.field('question')}>
          <Input {...form.register('question')} autoComplete="off" required />
        </Field>
        <Field label="Answer" {...form.field('answer')}>
          <Textarea {...form.register('answer')} rows={6} required />
        </Field>
        <Checkbox
          label="Hidden"
          hint="Stays in this list but is not shown on any page."
          {...form.field('hidden')}
          {...form.register('hidden')}
        />
      </form>
    </AdminEntryDialog>
  )
}
