import { testMailbox } from '#features/receipts/admin-mailbox-contract.ts'
import { useSend } from '#web/data.ts'
import { ConnectionTest } from '../connection-test.tsx'
import type { useMailboxForm } from './use-mailbox-form.ts'

/** Tests the connection with the values in the form, saved or not, and shows the result. */
export function MailboxTest({ watch }: Pick<ReturnType<typeof useMailboxForm>['form'], 'watch'>) {
  const test = useSend(testMailbox)
  const testConnection = () => {
    const [host, port, tls, username, login, password, folder, ca] = watch([
      'host',
      'port',
      'tls',
      'username',
      'login',
      'password',
      'folder',
      'ca',
    ])
    test.mutate({ body: { host, port, tls, username, login, password, folder, ca } })
  }
  return <ConnectionTest test={test} onTest={testConnection} />
}
