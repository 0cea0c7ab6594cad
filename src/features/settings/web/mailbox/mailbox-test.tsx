import { testMailbox } from '#features/receipts/admin-mailbox-contract.ts'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Note } from '#web/ui/note.tsx'
import type { useMailboxForm } from './use-mailbox-form.ts'

/** Tests the connection with the values in the form, saved or not, and shows the result. */
export function MailboxTest({ watch }: Pick<ReturnType<typeof useMailboxForm>['form'], 'watch'>) {
  const test = useSend(testMailbox)
  const testConnection = () => {
    const [host, port, tls, username, password, folder, ca] = watch([
      'host',
      'port',
      'tls',
      'username',
      'password',
      'folder',
      'ca',
    ])
    test.mutate({ body: { host, port, tls, username, password, folder, ca } })
  }
  const { data, error } = test
  return (
    <div className="grid gap-3">
      <div>
        <Button variant="line" pending={test.isPending} onClick={testConnection}>
          Test Connection
        </Button>
      </div>
      <div role="status" className="grid gap-3">
        {!test.isPending && data && <Note tone={data.ok ? 'ok' : 'bad'}>{data.message}</Note>}
        {!test.isPending && error && <Note tone="bad">{messageOf(error)}</Note>}
      </div>
    </div>
  )
}
