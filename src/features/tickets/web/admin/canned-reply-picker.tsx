import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useId, useState } from 'react'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { Field } from '#web/ui/form/field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { type CannedReply, listCannedReplies } from '../../admin-canned-contract.ts'

const CannedReplyDialog = lazy(() =>
  import('./canned-reply-dialog.tsx').then((module) => ({ default: module.CannedReplyDialog })),
)

/** Lets the administrator choose and insert a canned reply, and open the dialog that adds or changes one. */
export function CannedReplyPicker({ onInsert }: { onInsert: (body: string) => void }) {
  const id = useId()
  const { data: replies = [], error } = useQuery(query(listCannedReplies))
  const [chosen, setChosen] = useState('')
  const [managed, manage] = useOpenDialog<CannedReply | null>(`${id}-add`)
  const reply = replies.find((each) => String(each.id) === chosen)
  return (
    <div className="flex flex-wrap items-end gap-2.5">
      <Field
        id={`${id}-choose`}
        label="Canned reply"
        error={error ? 'The canned replies could not be loaded' : undefined}
      >
        <NativeSelect value={reply ? chosen : ''} onChange={({ target }) => setChosen(target.value)}>
          <option value="">{replies.length === 0 ? 'None yet' : 'Choose…'}</option>
          {replies.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </NativeSelect>
      </Field>
      {reply && (
        <>
          <Button variant="soft" onClick={() => onInsert(reply.body)}>
            Insert
          </Button>
          <Button variant="line" onClick={({ currentTarget }) => manage(reply, currentTarget)}>
            Edit<span className="sr-only"> {reply.name}</span>
          </Button>
        </>
      )}
      <Button id={`${id}-add`} variant="line" onClick={({ currentTarget }) => manage(null, currentTarget)}>
        Add Canned Reply
      </Button>
      <Suspense>
        {managed && <CannedReplyDialog key={managed.openCount} reply={managed.subject} returnTo={managed.returnTo} />}
      </Suspense>
    </div>
  )
}
