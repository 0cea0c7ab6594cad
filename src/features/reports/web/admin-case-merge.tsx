import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { getReportCase, listReportCases, mergeReportCases } from '../admin-case-contract.ts'
import { listAllReports } from '../admin-contract.ts'

/** Lets the administrator move the waiting reports of a case to another open case. */
export function AdminCaseMerge({ caseId, onMerged }: { caseId: number; onMerged: () => void }) {
  const id = useId()
  const { data: cases = [] } = useQuery(query(listReportCases))
  const [into, setInto] = useState('')
  const send = useSend(mergeReportCases, [getReportCase, listReportCases, listAllReports])
  const others = cases.filter((each) => each.id !== caseId)
  if (others.length === 0) return null
  const merge = () =>
    send.mutate(
      { params: { caseId }, body: { into: Number(into) } },
      {
        onSuccess: ({ title }) => {
          onMerged()
          toast({
            title: 'Cases merged',
            description: `Further reports with these spellings will be added to ${title}.`,
          })
        },
      },
    )
  return (
    <div className="mt-5 flex flex-wrap items-end gap-2.5">
      <Field id={`${id}-into`} label="Merge into" error={send.error ? messageOf(send.error) : undefined}>
        <NativeSelect value={into} onChange={({ target }) => setInto(target.value)}>
          <option value="">Choose another case…</option>
          {others.map((each) => (
            <option key={each.id} value={each.id}>
              {each.title} ({each.open})
            </option>
          ))}
        </NativeSelect>
      </Field>
      {into !== '' && (
        <Button variant="line" pending={send.isPending} onClick={merge}>
          Merge
        </Button>
      )}
    </div>
  )
}
